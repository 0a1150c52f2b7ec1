// The settings of the page: what each is called in the address, where its value in force
// stands in an answer, and how it is written as on the command line.
import { round, whole } from "./scale.js";

const ms = (n) => `${n}ms`;
const orNone = (write) => (n) => (n > 0 ? write(n) : "none");

/**
 * @typedef {object} Knob
 * @property {string} name     in the address
 * @property {string} label
 * @property {string} unit
 * @property {number[]} values that the slider can take
 * @property {(s: object) => number} read   the number in force, of the settings of an answer
 * @property {(n: number, s: object) => string} write  it as the address has it
 * @property {string} [zero]   what 0 means
 * @property {string} [id]     where two stand for one setting
 * @property {(s: object) => boolean} [shown] only with some settings
 */

/**
 * @typedef {object} Choice  a setting that is one of a few words
 * @property {string} name
 * @property {string} label
 * @property {[string, string][]} options  word, text
 * @property {(s: object) => string} read
 * @property {(word: string, s: object) => string} write
 */

/** @type {{title: string, knobs: (Knob|Choice|{layers: true})[]}[]} */
export const groups = [
  { title: "load", knobs: [
    { name: "clients", label: "clients", unit: "", values: round(1, 1e6), read: (s) => s.clients, write: String, shown: (s) => !s.open },
    { name: "rate", label: "requests", unit: "/s", values: round(1, 1e5), read: (s) => s.rate, write: (n) => `${n}/s`, shown: (s) => s.open },
    { name: "smear", label: "start spread", unit: "ms", values: round(0, 10000), read: (s) => s.smear_ms, write: ms, shown: (s) => !s.open },
  ] },
  { title: "retries", knobs: [
    { layers: true },
    { name: "rest", label: "rest", unit: "ms", values: round(0, 20000), read: (s) => s.rest_ms, write: ms },
    { name: "backoff", id: "growth", label: "growth", options: [["fixed", "fixed"], ["linear", "linear"], ["exponential", "exponential"]],
      read: (s) => s.growth, write: (word, s) => (word === "exponential" ? `exponential:${s.factor}` : word) },
    { name: "backoff", id: "factor", label: "factor", unit: "×", values: [1.1, 1.2, 1.3, 1.5, 1.75, 2, 2.5, 3, 4, 5, 10],
      read: (s) => s.factor, write: (n) => `exponential:${n}`, shown: (s) => s.growth === "exponential" },
    { name: "cap", label: "cap", unit: "ms", values: round(0, 60000), read: (s) => s.cap_ms, write: ms, zero: "none" },
    { name: "jitter", id: "law", label: "jitter", options: [["none", "none"], ["full", "full"], ["equal", "equal"], ["share", "± a share"], ["decorrelated", "decorrelated"]],
      read: (s) => s.jitter, write: (word, s) => (word === "share" ? `${s.share_percent || 50}%` : word) },
    { name: "jitter", id: "share", label: "share", unit: "±%", values: whole(1, 20).map((n) => 5 * n), read: (s) => s.share_percent,
      write: (n) => `${n}%`, shown: (s) => s.jitter === "share" },
  ] },
  { title: "the tail", knobs: [
    { name: "outage", id: "outage", label: "it fails", options: [["always", "always"], ["window", "for a time"], ["never", "never"], ["other", "as the lab says"]],
      read: (s) => s.outage.kind, write: (word, s) => ({ window: ms(s.outage.ms || 2000), other: "" })[word] ?? word },
    { name: "outage", id: "window", label: "for the first", unit: "ms", values: round(10, 60000), read: (s) => s.outage.ms, write: ms,
      shown: (s) => s.outage.kind === "window" },
    { name: "workers", label: "workers", unit: "", values: round(0, 1000), read: (s) => s.workers, write: String, zero: "no limit" },
    { name: "service", label: "service time", unit: "ms", values: round(0, 5000), read: (s) => s.service_ms, write: ms },
  ] },
  { title: "protection", knobs: [
    { name: "budget", label: "retry budget", unit: "%", values: round(0, 100), read: (s) => s.budget_percent, write: orNone((n) => `${n}%`), zero: "none" },
    { name: "deadline", label: "deadline", unit: "ms", values: round(0, 60000), read: (s) => s.deadline_ms, write: orNone(ms), zero: "none" },
  ] },
];
