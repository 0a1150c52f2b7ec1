// What sliders can be set to: round values, closer together where they are small.
// Between them the number beside the slider takes any.

/** Round numbers from low to high, some per decade, 0 in front where low is 0. */
export function round(low, high, per = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) {
  const out = low === 0 ? [0] : [];
  for (let decade = 1; decade <= high; decade *= 10) {
    for (const digit of per) {
      const n = digit * decade;
      if (Number.isInteger(n) && n >= low && n <= high && !out.includes(n)) out.push(n);
    }
  }
  return out;
}

/** Every whole number. */
export const whole = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => low + i);

/** The place of the value that is nearest to n. */
export function nearest(values, n) {
  let best = 0;
  for (let i = 1; i < values.length; i++) {
    if (Math.abs(values[i] - n) < Math.abs(values[best] - n)) best = i;
  }
  return best;
}

/** A time for people: 350 ms, 2.5 s. */
export function time(ms) {
  if (Math.abs(ms) < 1000) return `${trim(Math.abs(ms) < 100 ? ms : Math.round(ms))} ms`;
  return `${trim(ms / 1000)} s`;
}

export const trim = (n) => String(Math.round(n * 100) / 100);

export const count = (n) => n.toLocaleString("en-US");
