// The histograms, drawn by uPlot. Each has a text beside it that says what there is to
// see, for those who do not see it.
import { time, count } from "./scale.js";

const uPlot = window.uPlot;
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const shown = []; // all charts, to be drawn anew in other colours
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => shown.forEach((c) => c.anew()));

/** Bars that fill their bin. */
const bars = () => uPlot.paths.bars({ size: [0.92, 200], align: 1, gap: 0 });

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {string} colour  a variable of the style sheet
 * @property {boolean} [line]  steps instead of bars
 */

/** A histogram in an element, with an output for the bin under the pointer. */
export class Histogram {
  /** @param {string} id  @param {Series[]} series  @param {() => number} [limit] */
  constructor(id, series, limit = () => 0) {
    this.at = document.getElementById(`plot-${id}`);
    this.out = document.getElementById(`at-${id}`);
    Object.assign(this, { series, limit, data: null, bin: 50 });
    shown.push(this);
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.at);
  }

  size() { return { width: Math.max(this.at.clientWidth, 200), height: Math.max(this.at.clientHeight, 100) }; }

  /** Shows columns of counts, a bin each, from a time on, over so many bins at least. */
  show(start, bin, columns, about, least = 4) {
    const longest = Math.max(4, least, ...columns.map((c) => c.length));
    const xs = Array.from({ length: longest + 1 }, (_, i) => start + i * bin);
    this.data = [xs, ...columns.map((c) => xs.map((_, i) => c[i] ?? 0))];
    this.bin = bin;
    this.at.setAttribute("aria-label", about);
    if (this.plot) this.plot.setData(this.data); else this.anew();
  }

  anew() {
    if (!this.data) return;
    this.plot?.destroy();
    this.plot = new uPlot(this.options(), this.data, this.at);
  }

  options() {
    const axis = { stroke: colour("soft"), grid: { stroke: colour("grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui, DejaVu Sans, sans-serif" };
    return {
      ...this.size(),
      padding: [8, 24, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: true, y: false }, points: { show: false }, y: false },
      scales: { x: { time: false }, y: { range: (_, __, high) => [0, Math.max(high, this.showsLimit() ? this.limit() * 1.08 : 0, 1) * 1.06] } },
      axes: [
        { ...axis, size: 24, values: (_, ticks) => ticks.map(time) },
        { ...axis, size: 62, space: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7], values: (_, ticks) => ticks.map(count) },
      ],
      series: [{}, ...this.series.map((s) => ({
        label: s.label, stroke: colour(s.colour), width: s.line ? 2 : 0, fill: s.line ? undefined : colour(s.colour),
        paths: s.line ? uPlot.paths.stepped({ align: 1 }) : bars(), points: { show: false },
      }))],
      hooks: { draw: [(u) => this.drawLimit(u)], setCursor: [(u) => this.point(u)] },
    };
  }

  /** Whether the limit is drawn: one far above the bars would make them small. */
  showsLimit() { return this.limit() > 0 && this.limit() <= 2 * Math.max(0, ...(this.data?.[1] ?? [])); }

  drawLimit(u) {
    const limit = this.limit();
    if (!this.showsLimit()) return;
    const y = Math.round(u.valToPos(limit, "y", true));
    const { left, width } = u.bbox;
    u.ctx.save();
    u.ctx.strokeStyle = colour("bad");
    u.ctx.lineWidth = 2 * devicePixelRatio;
    u.ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    u.ctx.beginPath();
    u.ctx.moveTo(left, y);
    u.ctx.lineTo(left + width, y);
    u.ctx.stroke();
    u.ctx.restore();
  }

  point(u) {
    const x = u.cursor.left >= 0 ? u.posToVal(u.cursor.left, "x") : NaN;
    const i = Math.floor((x - u.data[0][0]) / this.bin);
    const values = u.data.slice(1).map((c) => c[i]);
    const inside = values.some((v) => v !== undefined && v !== null);
    this.out.textContent = inside
      ? `${time(u.data[0][i])}: ${values.map((v, s) => `${count(v ?? 0)} ${this.series[s].label}`).join(", ")}` : "";
  }
}
