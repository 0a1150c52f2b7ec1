// Draws the page's charts with uPlot. Numbers come from the page's JSON; words and
// tables are there without this script.
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("js");
  var plots = JSON.parse(document.getElementById("plots").textContent);
  var dashes = [[], [6, 4], [2, 3], [9, 3, 2, 3], [1, 5], [12, 4]];
  var drawn = {};
  var number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

  function token(name) { return getComputedStyle(root).getPropertyValue(name).trim(); }

  // faint mixes a colour into the ground. It covers what is below, or two fills would
  // make a third colour that no legend has.
  function faint(color, share) {
    var a = parseInt(color.slice(1), 16), b = parseInt(token("--ground").slice(1), 16);
    return "rgb(" + [16, 8, 0].map(function (bits) {
      return Math.round(((a >> bits) & 255) * share + ((b >> bits) & 255) * (1 - share));
    }).join(",") + ")";
  }

  function time(ms, step) {
    if (step >= 1000) return number.format(ms / 1000) + " s";
    return number.format(ms) + " ms";
  }

  function series(line, steps) {
    var color = token("--s" + line.color);
    return {
      label: line.name,
      show: !line.hidden,
      stroke: color,
      width: 1.75,
      dash: dashes[line.dash || 0],
      fill: line.fill ? faint(color, 0.24) : undefined,
      paths: steps ? uPlot.paths.stepped({ align: 1 }) : uPlot.paths.linear(),
      points: { show: !steps, size: 6 },
      spanGaps: !steps,
    };
  }

  function axis(label, format, size, space) {
    return {
      space: space,
      label: label, labelSize: label ? 18 : 0, labelGap: 2, labelFont: "12px system-ui, sans-serif",
      stroke: token("--quiet"), font: "11px system-ui, sans-serif", size: size, gap: 5,
      grid: { stroke: token("--rule"), width: 1 }, ticks: { show: false }, values: format,
    };
  }

  // marks are instants with a word, drawn over the lines.
  function marks(plot) {
    return function (u) {
      (plot.marks || []).forEach(function (m) {
        var x = Math.round(u.valToPos(m.x, "x", true));
        var c = u.ctx;
        c.save();
        c.strokeStyle = c.fillStyle = token("--quiet");
        c.setLineDash([4, 4]);
        c.beginPath();
        c.moveTo(x, u.bbox.top);
        c.lineTo(x, u.bbox.top + u.bbox.height);
        c.stroke();
        var left = x > u.bbox.left + u.bbox.width * 0.7;
        c.font = 11 * devicePixelRatio + "px system-ui, sans-serif";
        c.textAlign = left ? "right" : "left";
        c.fillText(m.text, x + (left ? -6 : 6), u.bbox.top + 12 * devicePixelRatio);
        c.restore();
      });
    };
  }

  // widthOf leaves room for the longest number of an axis.
  function widthOf(u, values) {
    var longest = (values || []).reduce(function (n, v) { return Math.max(n, v.length); }, 1);
    return 14 + longest * 6.4;
  }

  function options(plot, box, readout) {
    var span = plot.x[plot.x.length - 1] - plot.x[0];
    var step = span >= 2000 ? 1000 : 1;
    return {
      width: box.clientWidth, height: box.clientHeight || (box.closest(".wide") ? 300 : 210), // on paper no height is set
      legend: { show: false },
      cursor: { points: { size: 6 }, drag: { x: plot.time, y: false } },
      scales: {
        x: { time: false, range: plot.time ? undefined : function (u, min, max) { return [0, max * 1.04]; } },
        y: { range: function (u, min, max) { return [0, Math.max(max * (plot.marks ? 1.2 : 1.08), 1)]; } },
      },
      axes: [
        axis(plot.xlabel || "", plot.time ? function (u, vs) { return vs.map(function (v) { return time(v, step); }); } : function (u, vs) { return vs.map(number.format); }, 26, 64),
        axis(plot.ylabel, function (u, vs) { return vs.map(function (v) { return v % 1 ? "" : number.format(v); }); }, widthOf, 34),
      ],
      series: [{}].concat(plot.lines.map(function (l) { return series(l, plot.steps); })),
      hooks: { draw: [marks(plot)], setCursor: [readout] },
      padding: [8, 26, 0, 0],
    };
  }

  function swatch(line) {
    var ns = "http://www.w3.org/2000/svg";
    var svg = document.createElementNS(ns, "svg"), stroke = document.createElementNS(ns, "line");
    svg.setAttribute("width", "26"); svg.setAttribute("height", "8"); svg.setAttribute("aria-hidden", "true");
    [["x1", 0], ["x2", 26], ["y1", 4], ["y2", 4], ["stroke-width", 2.5], ["stroke-dasharray", dashes[line.dash || 0].join(" ")]]
      .forEach(function (a) { stroke.setAttribute(a[0], a[1]); });
    stroke.setAttribute("class", "k" + line.color);
    svg.appendChild(stroke);
    return svg;
  }

  // legend has a button for each line, which shows and hides it, with the number under
  // the pointer.
  function legend(plot) {
    var place = document.getElementById(plot.id + "-l");
    return plot.lines.map(function (line, i) {
      var button = document.createElement("button"), name = document.createElement("bdi"), value = document.createElement("span");
      name.textContent = line.name;
      value.className = "value";
      button.type = "button";
      button.setAttribute("aria-pressed", String(!line.hidden));
      button.append(swatch(line), name, value);
      button.addEventListener("click", function () {
        line.hidden = !line.hidden;
        button.setAttribute("aria-pressed", String(!line.hidden));
        if (drawn[plot.id]) drawn[plot.id].setSeries(i + 1, { show: !line.hidden });
      });
      place.append(button);
      return value;
    });
  }

  function readout(plot, values) {
    return function (u) {
      plot.lines.forEach(function (line, i) {
        var y = u.cursor.idx == null ? null : line.y[u.cursor.idx];
        values[i].textContent = y == null ? "" : number.format(y);
      });
    };
  }

  function draw(plot) {
    var box = document.getElementById(plot.id);
    if (!box.clientWidth) return; // inside of closed details: drawn when they open
    if (drawn[plot.id]) drawn[plot.id].destroy();
    plot.values = plot.values || legend(plot);
    var data = [plot.x].concat(plot.lines.map(function (l) { return l.y; }));
    drawn[plot.id] = new uPlot(options(plot, box, readout(plot, plot.values)), data, box);
  }

  function redraw() { plots.forEach(function (p) { if (drawn[p.id]) draw(p); }); }
  function drawAll() { plots.forEach(draw); }

  // Charts are drawn when they come near the screen: a report may have hundreds.
  var near = new IntersectionObserver(function (seen) {
    seen.forEach(function (s) {
      var plot = plots.find(function (p) { return p.id === s.target.id; });
      if (s.isIntersecting && plot && !drawn[plot.id]) draw(plot);
    });
  }, { rootMargin: "600px" });
  plots.forEach(function (p) { near.observe(document.getElementById(p.id)); });

  var waiting;
  addEventListener("resize", function () { clearTimeout(waiting); waiting = setTimeout(redraw, 120); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);

  // Paper is white whatever the screen is.
  addEventListener("beforeprint", function () { root.setAttribute("data-ink", "paper"); drawAll(); });
  addEventListener("afterprint", function () { root.removeAttribute("data-ink"); redraw(); });
})();
