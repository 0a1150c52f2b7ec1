// The page: what is set is in the address behind the #, and an answer to that is on the
// screen. Everything else follows from the two.
import { labs, live } from "./engine.js";
import { asker } from "./asker.js";
import { build, make } from "./controls.js";
import { show, problem } from "./show.js";
import { watch } from "./watch.js";

const $ = (id) => document.getElementById(id);
const choices = await labs();
let set = new URLSearchParams(); // what the address says, or will when the slider is let go

const settle = build($("controls"), change);
const ask = asker((a, since, newest) => {
  if (newest) { // or a slider would jump back under the hand
    settle(a.settings, a.locked, new Set(set.keys()));
    if (document.activeElement !== $("limit")) $("limit").value = a.limit || "";
  }
  show(a);
  requestAnimationFrame(() => {
    const ms = performance.now() - since;
    $("took").textContent = `drawn ${Math.round(ms)} ms after the change; simulated in ${a.took_ms.toFixed(1)} ms`;
    document.body.dataset.seq = a.seq; // for tests: this answer is on the screen
    document.body.dataset.drawn = ms.toFixed(1);
  });
}, (e) => problem(e.message));

/** The state as an address has it, with commas and colons as they are. */
const query = () => set.toString().replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");

function change(name, value, done) {
  if (value === "") set.delete(name); else set.set(name, value);
  task();
  if (done) history.pushState(null, "", `#${query()}`);
  ask(query());
}

/** Takes the state from the address; where that has none, from the first lab. */
function load() {
  const given = location.hash.slice(1);
  set = new URLSearchParams(given || choices[0].start);
  if (!given) history.replaceState(null, "", `#${query()}`);
  pick();
  ask(query());
}

/** Shows which lab it is. */
function pick() {
  const lab = choices.find((c) => c.name === set.get("lab"));
  $("lab").value = set.get("lab");
  $("variant").replaceChildren(...(lab?.variants ?? []).map((v) => make("option", { value: v, textContent: lab.label ?? v })));
  $("variant").value = set.get("variant") ?? lab?.variants[0];
  $("text").textContent = lab?.text ?? "";
  $("limit").blur(); // its value comes with the answer
  task();
}

let tried = false; // the task was set up once: it has no more to say

/** Shows what there is to try, until somebody does. */
function task() {
  const it = current()?.task;
  tried ||= Boolean(it) && [...new URLSearchParams(it.state)].every(([name, value]) => set.get(name) === value);
  $("task").hidden = tried || !it;
  $("task-text").textContent = it?.text ?? "";
}

function begin(start) {
  set = new URLSearchParams(start);
  history.pushState(null, "", `#${query()}`);
  pick();
  ask(query());
}

const current = () => choices.find((c) => c.name === $("lab").value);
$("lab").append(...choices.map((c) => make("option", { value: c.name, textContent: c.own ? `${c.name} (yours)` : c.name })));
$("lab").addEventListener("change", () => begin(current().start));
$("variant").addEventListener("change", () => change("variant", $("variant").value, true));
$("task-go").addEventListener("click", () => { begin(current().task.state); $("rest").focus(); });
$("reset").addEventListener("click", () => begin(current().start));
$("limit").addEventListener("input", () => { if ($("limit").checkValidity()) change("limit", $("limit").value, false); });
$("limit").addEventListener("change", () => { if ($("limit").checkValidity()) change("limit", $("limit").value, true); });
addEventListener("popstate", load);

async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = `${what} copied`;
  } catch {
    document.querySelector("#take details").open = true;
    $("copied").textContent = "the browser does not let this page copy: take it from below";
  }
}
$("copy-yaml").addEventListener("click", () => copy("YAML", $("yaml").textContent));
$("copy-command").addEventListener("click", () => copy("command", $("command").textContent));
$("copy-share").addEventListener("click", () => copy("labctl ui command", $("share-command").textContent));
$("copy-link").addEventListener("click", () => copy("link", location.href));
$("copy-link").hidden = live !== null; // the address of a served page ends with its program

load();
watch(query);
