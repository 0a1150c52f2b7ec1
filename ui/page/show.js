// Puts an answer on the page.
import { make } from "./controls.js";
import { Histogram } from "./charts.js";
import { count, time, trim } from "./scale.js";

const $ = (id) => document.getElementById(id);
let limit = 0; // retries per bin; 0: none

const hits = new Histogram("hits", [{ label: "hits", colour: "first" }, { label: "retries", colour: "retry" }]);
const retries = new Histogram("retries", [{ label: "retries", colour: "retry" }], () => limit);
const goodput = new Histogram("goodput", [{ label: "answered well", colour: "good" }]);

/** @param {object} a  an answer */
export function show(a) {
  $("problem").hidden = true;
  $("seen").classList.remove("stale");
  $("title").textContent = a.title;
  $("sentences").replaceChildren(...a.verdict.map((s) => make("li", { textContent: s.text, className: s.mood })));
  speak(a.verdict.map((s) => s.text).join(". "));
  $("first-is").textContent = a.charts.first_is;
  limit = a.limit;
  numbers(a.variant, a.charts.first_is);
  charts(a.charts);
  $("limit-key").hidden = !limit;
  $("limit-key").textContent = retries.showsLimit() ? "limit" : `limit of ${count(limit)}, far above`;
  $("also").textContent = a.also ? `Also in this lab: ${a.also.join("; ")}.` : "";
  $("command").textContent = a.command;
  $("share-command").textContent = a.share;
  $("yaml").textContent = a.yaml;
  $("warnings").replaceChildren(...(a.warnings ?? []).map((w) => make("li", { textContent: w })));
}

/** What is wrong with the settings; what was drawn before stays, faded. */
export function problem(text) {
  $("problem").textContent = text;
  $("problem").hidden = false;
  $("seen").classList.add("stale");
}

function numbers(v, first) {
  const answered = v.outcomes.ok + v.outcomes.degraded;
  const recovered = v.recovered_ms === -1 ? "not" : v.recovered_ms ? time(v.recovered_ms) : "–";
  const all = [
    ["hits", count(v.hits), "requests that arrive at the tail, retries included"],
    ["amplification", `${trim(v.amplification)}×`, "hits per request of a client"],
    [first, count(v.first_wave), "hits that are no retries"],
    ["peak", count(v.peak), "hits in the fullest bin"],
    ["retry peak", count(v.retry_peak), "retries in the fullest bin of theirs; this is what the limit is held against"],
    ["goodput", `${trim(v.requests ? (100 * answered) / v.requests : 0)} %`, "requests of clients that were answered well in the end, of all"],
    ["recovered", recovered, "from when on at least 4 of 10 requests are answered well; –: it was never worse, or is not looked at, since all clients ask at one instant"],
    ["last answer", time(v.elapsed_ms), "when the last client has an answer or has given up, after the release"],
  ];
  $("numbers").replaceChildren(...all.map(([name, value, meaning]) => make("div", { title: meaning },
    make("dt", { textContent: name }), make("dd", { textContent: value, id: `n-${name.replace(" ", "-")}` }))));
  $("meanings").replaceChildren(...all.flatMap(([name, , meaning]) => [make("dt", { textContent: name }), make("dd", { textContent: meaning })]));
}

function charts(c) {
  const bin = c.bin_ms * c.group;
  const what = c.group > 1 ? `${time(c.bin_ms)} (the fullest of ${c.group})` : time(c.bin_ms);
  for (const e of document.querySelectorAll(".bin")) e.textContent = what;
  // The retries stand in front of all hits, from the ground up: what is above is the first wave.
  const longest = Math.max(c.hits.length, c.goodput?.length ?? 0); // so that instants stand below each other
  hits.show(c.start_ms, bin, [c.hits, c.retry], c.about_hits, longest);
  retries.show(c.start_ms, bin, [c.retry], c.about_retries, longest);
  $("goodput").hidden = !c.goodput;
  $("seen").classList.toggle("three", Boolean(c.goodput));
  if (c.goodput) goodput.show(c.start_ms, bin, [c.goodput], c.about_goodput, longest);
}

let timer = 0;

/** Tells a screen reader, once the slider rests. */
function speak(text) {
  clearTimeout(timer);
  timer = setTimeout(() => { $("spoken").textContent = text; }, 700);
}
