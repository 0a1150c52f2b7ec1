// The form: a row per setting, made from the table in knobs.js. A row shows what is in
// force, and tells of what somebody sets.
import { groups } from "./knobs.js";
import { nearest, round, whole, time, count } from "./scale.js";

const mostLayers = 6;
const tries = [...whole(1, 10), ...round(12, 100)];

/** @param {string} tag */
export function make(tag, props = {}, ...children) {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
}

/**
 * Builds the form and returns a function that shows settings in it.
 * @param {HTMLFormElement} form
 * @param {(name: string, value: string, done: boolean) => void} tell  done: the slider was let go
 */
export function build(form, tell) {
  const rows = [];
  let now = {}; // the settings in force
  form.addEventListener("submit", (e) => e.preventDefault());
  for (const group of groups) {
    const box = make("fieldset", {}, make("legend", { textContent: group.title }));
    for (const knob of group.knobs) {
      const add = (row) => { rows.push(row); box.append(row.row, row.why); };
      if (knob.layers) {
        layerRows(box, rows, tell);
      } else if (knob.options) {
        add(choiceRow(knob, (word, done) => tell(knob.name, knob.write(word, now), done)));
      } else {
        add(sliderRow(knob, (n, done) => tell(knob.name, knob.write(n, now), done)));
      }
    }
    form.append(box);
  }
  return (settings, locked, moved) => {
    now = settings;
    for (const row of rows) row.show(settings, locked, moved);
  };
}

/** The number of layers, and how often each tries. */
function layerRows(box, rows, tell) {
  const list = make("div");
  let attempts = []; // as they were set last: the answer to that may be still on its way
  const set = (all, done) => { attempts = all; tell("attempts", all.join(","), done); };
  const layers = sliderRow(
    { name: "attempts", id: "layers", label: "layers", unit: "", values: whole(1, mostLayers), read: (s) => s.attempts.length },
    (n, done) => set(Array.from({ length: n }, (_, i) => attempts[i] ?? attempts.at(-1)), done));
  const each = [];
  const fit = (settings) => {
    while (each.length < settings.attempts.length) {
      const i = each.length;
      const row = sliderRow(
        { name: "attempts", id: `attempts-${i}`, label: "attempts", unit: "", values: tries, read: (s) => s.attempts[i] ?? 1, endless: true },
        (n, done) => set(attempts.map((old, j) => (j === i ? n : old)), done));
      each.push(row);
      list.append(row.row);
    }
    while (each.length > settings.attempts.length) each.pop().row.remove();
  };
  rows.push(layers, { show(settings, locked, moved) {
    attempts = settings.attempts.map((n) => (n < 0 ? "unlimited" : n));
    fit(settings);
    each.forEach((row, i) => { row.label.textContent = `${settings.layers[i]} tries`; row.show(settings, locked, moved); });
  } });
  box.append(layers.row, layers.why, list);
}

/** A slider with a number beside it, which takes any value. */
function sliderRow(knob, tell) {
  const id = knob.id ?? knob.name;
  const low = knob.values[0];
  const range = make("input", { type: "range", id, min: 0, max: knob.values.length - 1, step: 1 });
  const number = make("input", { type: "number", id: `${id}-number`, min: low, step: "any", inputMode: "decimal" });
  const label = make("label", { htmlFor: id, textContent: knob.label });
  const why = make("p", { className: "why", id: `${id}-why`, hidden: true });
  const unit = make("span", { className: "unit", textContent: knob.unit });
  number.setAttribute("aria-label", `${knob.label}, exactly${knob.unit ? `, in ${knob.unit}` : ""}`);
  const row = make("div", { className: "row" }, label, range, number, unit);
  const say = (n) => {
    let text = knob.unit === "ms" ? time(n) : `${count(n)}${knob.unit && ` ${knob.unit}`}`;
    if (n === 0 && knob.zero) text = knob.zero;
    if (knob.endless && n < 0) text = "without a limit";
    range.setAttribute("aria-valuetext", text);
  };
  const moved = (done) => () => {
    const n = knob.values[range.value];
    number.value = n === 0 && knob.zero ? "" : n;
    say(n);
    tell(n, done);
  };
  const typed = (done) => () => {
    if (!number.checkValidity() || (number.value === "" && !knob.zero)) return;
    const n = Number(number.value);
    range.value = nearest(knob.values, n);
    say(n);
    tell(n, done);
  };
  range.addEventListener("input", moved(false));
  range.addEventListener("change", moved(true));
  number.addEventListener("input", typed(false));
  number.addEventListener("change", typed(true));
  return { row, why, label, show(settings, locked, changed) {
    const n = knob.read(settings);
    row.hidden = knob.shown ? !knob.shown(settings) : false;
    row.classList.toggle("moved", changed.has(knob.name));
    lock([range, number], why, locked[knob.name]);
    const endless = knob.endless && n < 0;
    const word = endless ? "no limit" : n === 0 ? knob.zero : ""; // stands for the number
    number.placeholder = word || knob.zero || "";
    if (document.activeElement !== number) number.value = word ? "" : Math.round(n * 1000) / 1000;
    if (document.activeElement !== range || knob.values[range.value] !== n) range.value = endless ? knob.values.length : nearest(knob.values, n);
    say(n);
  } };
}

/** A setting that is one of a few words. */
function choiceRow(knob, tell) {
  const id = knob.id ?? knob.name;
  const options = knob.options.map(([value, textContent]) => make("option", { value, textContent }));
  const select = make("select", { id }, ...options);
  const why = make("p", { className: "why", id: `${id}-why`, hidden: true });
  const row = make("div", { className: "row choice" }, make("label", { htmlFor: id, textContent: knob.label }), select);
  select.addEventListener("change", () => tell(select.value, true));
  return { row, why, show(settings, locked, changed) {
    select.value = knob.read(settings);
    row.classList.toggle("moved", changed.has(knob.name));
    lock([select], why, locked[knob.name]);
  } };
}

function lock(inputs, why, reason) {
  why.hidden = !reason;
  why.textContent = reason ?? "";
  for (const input of inputs) {
    input.disabled = Boolean(reason);
    if (reason) input.setAttribute("aria-describedby", why.id); else input.removeAttribute("aria-describedby");
  }
}
