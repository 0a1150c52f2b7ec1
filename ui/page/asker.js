// Asks for answers while a slider moves: at most one question per frame and one on its
// way. A newer one waits for the one before, or cuts it off when that takes long, so
// that something is drawn all the time and nothing old is drawn last.
import { answer } from "./engine.js";

const patience = 250; // ms after which an answer that nobody wants any more is cut off

/**
 * @param {(a: object, since: number, newest: boolean) => void} show  since: when the
 *   question came up; newest: nothing has been set since
 * @param {(e: Error) => void} fail
 * @returns {(query: string) => void}
 */
export function asker(show, fail) {
  let wanted = null, going = null, frame = 0, seq = 0;

  async function ask({ query, since }) {
    const cut = new AbortController();
    const mine = String(++seq);
    going = { cut, begun: performance.now() };
    try {
      const a = await answer(query, mine, cut.signal);
      if (a.seq === String(seq)) show(a, since, !wanted);
    } catch (e) {
      if (e.name !== "AbortError" && mine === String(seq)) fail(e);
    }
    going = null;
    if (wanted) plan();
  }

  function plan() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (!going && wanted) {
        const next = wanted;
        wanted = null;
        ask(next);
      }
    });
  }

  return (query) => {
    wanted = { query, since: performance.now() };
    if (going && performance.now() - going.begun > patience) going.cut.abort();
    plan();
  };
}
