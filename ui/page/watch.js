// A live run, watched as it happens beside its shadow in virtual time.
import { live } from "./engine.js";
import { Histogram } from "./charts.js";
import { make } from "./controls.js";
import { count, time } from "./scale.js";

const $ = (id) => document.getElementById(id);
const between = 120; // ms from one look to the next

/** @param {() => string} query  the state on the screen */
export function watch(query) {
  if (!live) { // nothing that could open a socket
    $("live").hidden = true;
    return;
  }
  const chart = new Histogram("live", [{ label: "live", colour: "first" }, { label: "in virtual time", colour: "shadow", line: true }]);
  let looking = 0;

  function show(v) {
    const running = v.phase === "running";
    $("live-start").disabled = running;
    $("live-stop").disabled = !running;
    $("live-figure").hidden = v.phase === "none";
    $("live-warnings").replaceChildren(...(v.warnings ?? []).map((w) => make("li", { textContent: w })));
    if (v.phase === "none") return;
    $("live-status").textContent = {
      running: `running, some ${time(v.expected_ms)}: ${count(v.hits)} hits of ${count(v.shadow_hits)}`,
      stopped: `stopped: ${v.summary}`, done: v.summary, failed: v.error,
    }[v.phase];
    chart.show(v.start_ms, v.bin_ms, [v.bins, v.shadow], `Live ${count(v.hits)} hits, in virtual time ${count(v.shadow_hits)}`);
    if (running) looking = setTimeout(look, between);
  }

  const failed = (e) => {
    $("live-status").textContent = e.message;
    $("live-start").disabled = false;
    $("live-stop").disabled = true;
  };
  const look = () => live.view().then(show, failed);
  const after = (promise) => { clearTimeout(looking); promise.then(show, failed); };
  $("live-start").addEventListener("click", () => {
    $("live-status").textContent = "getting ready";
    after(live.start(query(), $("net").value));
  });
  $("live-stop").addEventListener("click", () => after(live.stop()));
  look(); // one may go on from before the page was loaded anew
}
