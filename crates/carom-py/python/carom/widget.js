// The page's side of `carom.view`: it draws what Python sends, and asks for one thing at a time.

const STYLE = `
.carom-view { max-width: 960px; font-size: 14px; line-height: 1.4; }
.carom-view { color: var(--jp-ui-font-color1, inherit); }
.carom-view canvas { display: block; margin: 0 auto; max-width: 100%; border-radius: 4px; }
.carom-view .title { margin: 0 0 6px; font-weight: 600; text-align: center; }
.carom-view .bar { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; margin-top: 8px; }
.carom-view button, .carom-view select {
  font: inherit; min-height: 34px; padding: 2px 12px; border-radius: 4px; cursor: pointer;
  color: inherit; background: var(--jp-layout-color2, #f2f2f2);
  border: 1px solid var(--jp-border-color1, #bdbdbd); }
.carom-view button.play { min-width: 5.6em; }
.carom-view button:hover, .carom-view select:hover { background: var(--jp-layout-color3, #e4e4e4); }
.carom-view :focus-visible { outline: 2px solid #3b6ea8; outline-offset: 2px; }
.carom-view .past { flex: 1 1 140px; min-width: 110px; height: 34px; margin: 0; accent-color: #3b6ea8; }
.carom-view .clock { min-width: 6.2em; text-align: right; font-variant-numeric: tabular-nums; }
.carom-view output { display: block; min-height: 1.4em; margin-top: 4px; }
.carom-view output.refused { color: var(--jp-error-color1, #b3261e); }`;

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const PAD = 6;
const GRASP = 14; // pixels beside a disc at which it can still be taken
const LONGEST = 0.1; // seconds of the clock that a frame makes up for: a slow kernel drops the others
const MEMORY = 80; // milliseconds over which the speed of a throw is measured
const ENCLOSE = ["container", "circle", "stadium"];
const SOLID = ["disc", "arm", "capsule"];

function element(name, attributes, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

function controls(speed) {
  const speeds = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b);
  const option = (times) => element("option", { value: times, textContent: `× ${times}` });
  const ui = {
    title: element("p", { className: "title", hidden: true }),
    canvas: element("canvas", { className: "world" }),
    play: element("button", { type: "button", className: "play", textContent: "Play" }),
    step: element("button", { type: "button", textContent: "Next event" }),
    past: element("input", { type: "range", className: "past", min: 0, max: 1, step: "any", value: 1 }),
    clock: element("span", { className: "clock" }),
    speed: element("select", {}, ...speeds.map(option)),
    said: element("output", { textContent: "Waiting for Python." }),
  };
  ui.speed.value = String(speed);
  ui.speed.setAttribute("aria-label", "Speed");
  ui.past.setAttribute("aria-label", "Time, back through what was played");
  ui.canvas.setAttribute("role", "img");
  ui.canvas.setAttribute("aria-label", "The discs and walls of the world");
  const bar = element("div", { className: "bar" }, ui.play, ui.step, ui.speed, ui.past, ui.clock);
  ui.root = element("div", { className: "carom-view" }, element("style", { textContent: STYLE }));
  ui.root.append(ui.title, ui.canvas, bar, ui.said);
  return ui;
}

// Numbers of a buffer, which may lie anywhere in a message.
function numbers(buffer, Kind) {
  const view = ArrayBuffer.isView(buffer) ? buffer : new DataView(buffer);
  return new Kind(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// Which discs have which colour: the canvas fills those of one colour at once.
function byColour(rgb, count) {
  const groups = new Map();
  for (let i = 0; i < count; i++) {
    const key = `rgb(${rgb[3 * i]} ${rgb[3 * i + 1]} ${rgb[3 * i + 2]})`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(i);
  }
  return groups;
}

function shade(hex) {
  const part = (k) => parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16);
  const [r, g, b] = [part(0), part(1), part(2)];
  const dark = 0.299 * r + 0.587 * g + 0.114 * b < 140;
  const line = dark ? [0xf4, 0xf2, 0xec] : [0x3a, 0x40, 0x4d];
  const parts = (share) => [r, g, b].map((c, k) => Math.round(c + (line[k] - c) * share));
  const mix = (share) => `rgb(${parts(share).join(" ")})`;
  return { page: dark ? hex : "#f8f6f1", surface: hex, wall: mix(1), solid: mix(0.16), tick: mix(0.38) };
}

// Where things are on the canvas: y points up in the world.
function frame(layout, canvas, width) {
  const [left, low, right, high] = layout.bounds;
  const longest = Math.max(right - left, high - low) || 1;
  const [wide, tall] = [right - left, high - low].map((side) => Math.max(side, 1e-3 * longest));
  const room = Math.min(600, 0.75 * window.innerHeight);
  const scale = Math.min((width - 2 * PAD) / wide, (room - 2 * PAD) / tall);
  const size = [wide * scale + 2 * PAD, Math.max(tall * scale + 2 * PAD, 60)].map(Math.round);
  const dots = window.devicePixelRatio || 1;
  const [across, down] = size.map((length) => Math.round(length * dots));
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  [canvas.style.width, canvas.style.height] = size.map((length) => `${length}px`);
  const [x, y] = [size[0] / 2, size[1] / 2];
  return {
    scale, size, dots, period: layout.period, half: [wide / 2, tall / 2],
    // Places count from the middle of what is shown.
    place: (px, py) => [x + px * scale, y - py * scale],
    back: (cx, cy) => [(cx - x) / scale + (left + right) / 2, (y - cy) / scale + (low + high) / 2],
  };
}

function outlines(state, view) {
  const paths = [];
  let at = 0;
  for (const [kind, count] of state.kinds) {
    const points = [];
    for (let k = 0; k < count; k++, at++) {
      points.push(view.place(state.walls[2 * at], state.walls[2 * at + 1]));
    }
    const path = new Path2D();
    points.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
    paths.push({ kind, points, path });
  }
  return paths;
}

function halfPlane(pen, [[x, y], [freeX, freeY]], colours, reach) {
  const length = Math.hypot(freeX - x, freeY - y) || 1;
  const [nx, ny] = [(freeX - x) / length, (freeY - y) / length];
  const corner = (along, off) => [x - ny * along - nx * off, y + nx * along - ny * off];
  pen.beginPath();
  for (const [along, off] of [[-reach, 0], [reach, 0], [reach, reach], [-reach, reach]]) {
    pen.lineTo(...corner(along, off));
  }
  pen.fillStyle = colours.solid;
  pen.fill();
  pen.beginPath();
  pen.moveTo(...corner(-reach, 0));
  pen.lineTo(...corner(reach, 0));
  pen.stroke();
}

// Short strokes behind a wall with one side.
function ticks(pen, [[ax, ay], [bx, by]], colours) {
  const length = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  pen.save();
  [pen.strokeStyle, pen.lineWidth] = [colours.tick, 1];
  pen.beginPath();
  for (let s = 4; s < length; s += 7) {
    pen.moveTo(ax + ux * s, ay + uy * s);
    pen.lineTo(ax + ux * (s - 4) - uy * 5, ay + uy * (s - 4) + ux * 5);
  }
  pen.stroke();
  pen.restore();
}

// The sheet, and rooms, whose lines lie outside, so that discs touch them.
function ground(pen, view, walls, colours) {
  const rooms = walls.filter((wall) => ENCLOSE.includes(wall.kind));
  const isFramed = rooms.length > 0 && !walls.some((wall) => wall.kind === "half_plane");
  pen.fillStyle = isFramed ? colours.page : colours.surface;
  pen.fillRect(0, 0, ...view.size);
  if (!isFramed && !view.period.some(Boolean)) {
    [pen.strokeStyle, pen.lineWidth] = [colours.tick, 1];
    pen.strokeRect(0.5, 0.5, view.size[0] - 1, view.size[1] - 1);
  }
  [pen.strokeStyle, pen.lineWidth, pen.fillStyle] = [colours.wall, 4, colours.surface];
  for (const { path } of rooms) pen.stroke(path);
  for (const { path } of rooms) pen.fill(path);
}

function drawWalls(pen, view, walls, colours) {
  [pen.strokeStyle, pen.lineWidth, pen.lineJoin, pen.lineCap] = [colours.wall, 2, "round", "round"];
  for (const { kind, points, path } of walls) {
    if (kind === "half_plane") {
      halfPlane(pen, points, colours, 2 * (view.size[0] + view.size[1]));
    } else if (SOLID.includes(kind)) {
      pen.save();
      pen.fillStyle = colours.solid;
      pen.fill(path);
      pen.clip(path);
      pen.lineWidth = 4;
      pen.stroke(path);
      pen.restore();
    } else if (!ENCLOSE.includes(kind)) {
      if (kind === "one_sided_segment") ticks(pen, points, colours);
      pen.stroke(path);
    }
  }
}

// The edges at which the plane repeats itself.
function drawPeriods(pen, view, colours) {
  const [x, y] = view.half;
  const [[left, high], [right, low]] = [view.place(-x, y), view.place(x, -y)];
  [pen.strokeStyle, pen.lineWidth] = [colours.tick, 1.5];
  pen.setLineDash([7, 6]);
  pen.beginPath();
  const upright = [[left, high, left, low], [right, high, right, low]];
  const edges = [...upright, [left, high, right, high], [left, low, right, low]];
  edges.filter((_, k) => view.period[k < 2 ? 0 : 1]).forEach(([ax, ay, bx, by]) => {
    pen.moveTo(ax, ay);
    pen.lineTo(bx, by);
  });
  pen.stroke();
  pen.setLineDash([]);
}

// Where a disc is seen: in a periodic plane what hangs over an edge is seen at the other one, too.
function images(view, x, y, radius, see) {
  const along = (k, at) => {
    const period = view.period[k];
    if (!period) return [at];
    const seen = [at - period, at, at + period];
    return seen.filter((place) => Math.abs(place) < view.half[k] + radius);
  };
  for (const px of along(0, x)) for (const py of along(1, y)) see(...view.place(px, py));
}

function drawDiscs(pen, view, state) {
  const { positions, radii, angles } = state;
  const isCrowd = radii.length > 3000;
  for (const [colour, discs] of state.groups) {
    const [fill, hands] = [new Path2D(), new Path2D()];
    for (const i of discs) {
      const radius = Math.max(radii[i] * view.scale, 0.75);
      images(view, positions[2 * i], positions[2 * i + 1], radii[i], (x, y) => {
        fill.moveTo(x + radius, y);
        fill.arc(x, y, radius, 0, 7);
        if (!angles || radius < 3) return;
        hands.moveTo(x, y);
        hands.lineTo(x + radius * Math.cos(angles[i]), y - radius * Math.sin(angles[i]));
      });
    }
    pen.fillStyle = colour;
    pen.fill(fill);
    // A line inside of the edge parts discs that touch.
    [pen.strokeStyle, pen.lineWidth] = ["rgb(0 0 0 / 0.28)", 1];
    if (!isCrowd) pen.stroke(fill);
    [pen.strokeStyle, pen.lineWidth] = ["rgb(255 255 255 / 0.85)", 1.5];
    pen.stroke(hands);
  }
}

function draw(canvas, state, view) {
  const pen = canvas.getContext("2d");
  const colours = shade(state.layout.background);
  pen.setTransform(view.dots, 0, 0, view.dots, 0, 0);
  const walls = outlines(state, view);
  ground(pen, view, walls, colours);
  pen.save();
  if (view.period.some(Boolean)) {
    const [x0, y0] = view.half;
    const [[left, high], [right, low]] = [view.place(-x0, y0), view.place(x0, -y0)];
    pen.beginPath();
    const [x, w] = view.period[0] ? [left, right - left] : [0, view.size[0]];
    const [y, h] = view.period[1] ? [high, low - high] : [0, view.size[1]];
    pen.rect(x, y, w, h);
    pen.clip();
  }
  drawDiscs(pen, view, state);
  pen.restore();
  drawWalls(pen, view, walls, colours);
  drawPeriods(pen, view, colours);
}

// The disc under a pointer, the nearest if there are several.
function found(state, view, at) {
  let [best, least] = [-1, Infinity];
  for (let i = 0; i < state.radii.length; i++) {
    const reach = Math.max(state.radii[i] * view.scale, GRASP);
    images(view, state.positions[2 * i], state.positions[2 * i + 1], state.radii[i], (x, y) => {
      const off = Math.hypot(x - at[0], y - at[1]);
      if (off <= reach && off < least) [best, least] = [i, off];
    });
  }
  return best;
}

// The speed of a pointer over its last moments, in pixels a second.
function speedOf(track) {
  const last = track[track.length - 1];
  const first = track.find((sample) => last.time - sample.time <= MEMORY);
  const seconds = (last.time - first.time) / 1000;
  // Who has stood still before letting go throws nothing.
  if (seconds <= 0 || performance.now() - last.time > MEMORY) return [0, 0];
  return [(last.at[0] - first.at[0]) / seconds, (last.at[1] - first.at[1]) / seconds];
}

class Board {
  constructor(model, el) {
    this.model = model;
    this.ui = controls(1);
    el.append(this.ui.root);
    this.state = { positions: [], radii: [], walls: [], kinds: [], groups: new Map() };
    this.asks = { full: true };
    this.name = Math.random().toString(36).slice(2);
    [this.sent, this.waits, this.isPlaying, this.hold] = [0, false, false, null];
    this.listen();
    this.tick = this.tick.bind(this);
    this.next = requestAnimationFrame(this.tick);
  }

  listen() {
    const { ui } = this;
    this.heard = (state, buffers) => this.hear(state, buffers);
    this.model.on("msg:custom", this.heard);
    ui.play.onclick = () => this.play(!this.isPlaying);
    ui.step.onclick = () => (this.play(false), (this.asks.event = true));
    ui.past.oninput = () => (this.play(false), (this.asks.go_to = Number(ui.past.value)));
    ui.speed.onchange = () => (this.asks.speed = Number(ui.speed.value));
    // Keys are for the buttons, not for the notebook around them.
    ui.root.onkeydown = (event) => event.stopPropagation();
    ui.canvas.onpointerdown = (event) => this.take(event);
    ui.canvas.onpointermove = (event) => this.drag(event);
    ui.canvas.onpointerup = ui.canvas.onpointercancel = () => this.release();
    // A finger on a disc drags it; beside the discs it scrolls the page.
    this.touched = (event) => this.hold && event.preventDefault();
    ui.canvas.addEventListener("touchstart", this.touched, { passive: false });
    ui.canvas.addEventListener("touchmove", this.touched, { passive: false });
    this.sized = new ResizeObserver(() => (this.isStale = true));
    this.sized.observe(ui.root);
  }

  play(isPlaying) {
    if (isPlaying) this.last = performance.now();
    this.isPlaying = isPlaying;
    this.ui.play.textContent = isPlaying ? "Pause" : "Play";
  }

  place(event) {
    const box = this.ui.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  take(event) {
    if (!this.view || event.button) return;
    const at = this.place(event);
    const index = found(this.state, this.view, at);
    if (index < 0) return;
    event.preventDefault();
    this.ui.canvas.setPointerCapture(event.pointerId);
    this.ui.canvas.style.cursor = "grabbing";
    const [x, y] = this.view.place(this.state.positions[2 * index], this.state.positions[2 * index + 1]);
    const track = [{ time: performance.now(), at }];
    this.hold = { index, at, off: [x - at[0], y - at[1]], track, isNew: true };
  }

  drag(event) {
    const at = this.place(event);
    if (!this.hold) {
      const isOver = this.view && event.pointerType === "mouse" && found(this.state, this.view, at) >= 0;
      this.ui.canvas.style.cursor = isOver ? "grab" : "";
      return;
    }
    Object.assign(this.hold, { at, isNew: true });
    this.hold.track.push({ time: performance.now(), at });
    if (this.hold.track.length > 100) this.hold.track.shift();
  }

  release() {
    const { hold, view } = this;
    this.ui.canvas.style.cursor = "";
    if (!hold) return;
    if (this.isPlaying) {
      const [right, down] = speedOf(hold.track);
      const share = view.scale * Number(this.ui.speed.value);
      this.asks.throw = [hold.index, right / share, -down / share];
    }
    if (hold.isNew) this.asks.hold = this.held();
    this.hold = null;
  }

  held() {
    const { index, at, off } = this.hold;
    this.hold.isNew = false;
    return [index, ...this.view.back(at[0] + off[0], at[1] + off[1])];
  }

  // Once for each picture of the screen: asks, unless an answer is still to come.
  tick(time) {
    this.next = requestAnimationFrame(this.tick);
    if (this.isStale) this.show();
    if (this.waits) return;
    const asked = this.asks;
    if (this.isPlaying && !asked.full) {
      const seconds = Math.min((performance.now() - this.last) / 1000, LONGEST);
      this.last = performance.now();
      asked.seconds = seconds * Number(this.ui.speed.value);
    }
    if (this.hold && (this.isPlaying || this.hold.isNew)) asked.hold = this.held();
    if (!Object.keys(asked).length) return;
    this.asks = {};
    this.waits = true;
    this.isAbout = Boolean(asked.hold || asked.event || asked.go_to !== undefined || asked.throw);
    this.model.send({ ...asked, n: `${this.name} ${++this.sent}` });
  }

  hear(state, buffers) {
    const isOwn = state.n === `${this.name} ${this.sent}`;
    if (isOwn) this.waits = false;
    if (!this.state.layout && !state.layout) return;
    const kinds = { colours: Uint8Array };
    state.parts.forEach((part, k) => (this.state[part] = numbers(buffers[k], kinds[part] ?? Float32Array)));
    if (state.walls) this.state.kinds = state.walls;
    if (state.layout) this.begin(state.layout);
    if (state.parts.includes("colours")) {
      this.state.groups = byColour(this.state.colours, this.state.radii.length);
    }
    if (state.stops) this.play(false);
    this.tell(state, isOwn);
    this.show();
  }

  begin(layout) {
    const isFirst = !this.state.layout;
    this.state.layout = layout;
    if (!isFirst) return;
    const { ui } = this;
    const fresh = controls(layout.speed).speed;
    ui.speed.replaceChildren(...fresh.children);
    ui.speed.value = String(layout.speed);
    [ui.title.textContent, ui.title.hidden] = [layout.title, !layout.title];
    ui.said.textContent = "";
  }

  tell(state, isOwn) {
    const { ui } = this;
    const span = state.end - state.start;
    ui.clock.textContent = `${state.now.toFixed(2)} s`;
    // Where the slider has been moved on meanwhile it stays there.
    if (!("go_to" in this.asks)) ui.past.value = span > 0 ? (state.now - state.start) / span : 1;
    ui.past.disabled = !(span > 0);
    ui.past.setAttribute("aria-valuetext", ui.clock.textContent);
    if (state.said || (isOwn && this.isAbout)) {
      ui.said.textContent = state.said;
      ui.said.className = state.refused ? "refused" : "";
    }
  }

  show() {
    this.isStale = false;
    if (!this.state.layout) return;
    this.view = frame(this.state.layout, this.ui.canvas, Math.max(this.ui.root.clientWidth, 120));
    draw(this.ui.canvas, this.state, this.view);
  }

  close() {
    cancelAnimationFrame(this.next);
    this.sized.disconnect();
    this.model.off("msg:custom", this.heard);
  }
}

export default {
  render({ model, el }) {
    const board = new Board(model, el);
    return () => board.close();
  },
};
