// Drawing on a canvas in the coordinates of a world: y upwards, sharp on every screen, in the colours of the page.

/** The colours of the page, in its present scheme. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: of("paper"), ink: of("ink"), soft: of("soft"), line: of("line"), panel: of("panel"), accent: of("accent"),
    wall: of("wall"), ghost: of("ghost"), discs: [0, 1, 2, 3].map((index) => of(`disc-${index}`)),
  };
}

/** Levels of 256 by which the lightness of a line must be another one than that of the ground. */
const FAINT = 40;

export class Sheet {
  /** `bounds` is what must be seen: [left, bottom, right, top]. */
  constructor(canvas, bounds) {
    this.canvas = canvas;
    this.bounds = bounds;
    this.g = canvas.getContext("2d");
  }

  /** Clears the canvas, and fits it to its place on the page. */
  begin() {
    const { canvas, g } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    const [left, bottom, right, top] = this.bounds;
    this.scale = Math.min(width / (right - left), height / (top - bottom)) || 1;
    this.origin = [width / 2 - (this.scale * (left + right)) / 2, height / 2 + (this.scale * (bottom + top)) / 2];
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    this.colours = colours();
    return g;
  }

  /** What is seen, which may be more than what must be. */
  get seen() {
    const { canvas, scale, origin } = this;
    return [-origin[0] / scale, (origin[1] - canvas.clientHeight) / scale, (canvas.clientWidth - origin[0]) / scale, origin[1] / scale];
  }

  to([x, y]) {
    return [this.origin[0] + this.scale * x, this.origin[1] - this.scale * y];
  }

  from([x, y]) {
    return [(x - this.origin[0]) / this.scale, (this.origin[1] - y) / this.scale];
  }

  /** A point of the world on the page, as pointer events have it. */
  client(point) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = this.to(point);
    return [box.left + this.canvas.clientLeft + x, box.top + this.canvas.clientTop + y];
  }

  /** A colour as a line has it: what is hardly other than the ground is as writing is. */
  visible(colour) {
    const light = (of) => [1, 3, 5].reduce((sum, at) => sum + parseInt(of.slice(at, at + 2), 16), 0) / 3;
    return Math.abs(light(colour) - light(this.colours.panel)) < FAINT ? this.colours.soft : colour;
  }

  line(points, colour, { width = 1.5, dash = [] } = {}) {
    const { g } = this;
    g.beginPath();
    for (const point of points) g.lineTo(...this.to(point));
    Object.assign(g, { strokeStyle: colour, lineWidth: width, lineJoin: "round", lineCap: "round" });
    g.setLineDash(dash);
    g.stroke();
    g.setLineDash([]);
  }

  circle(center, radius, { fill, stroke, width = 1.5, dash = [], alpha = 1 } = {}) {
    const { g } = this;
    g.beginPath();
    g.arc(...this.to(center), Math.max(0.5, radius * this.scale), 0, 2 * Math.PI);
    g.globalAlpha = alpha;
    if (fill) Object.assign(g, { fillStyle: fill }).fill();
    g.setLineDash(dash);
    if (stroke) Object.assign(g, { strokeStyle: stroke, lineWidth: width }).stroke();
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  /** An arrow with a head of a fixed size on the screen. */
  arrow(from, to, colour, { width = 2, knob = false, dash = [] } = {}) {
    const [a, b] = [this.to(from), this.to(to)];
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy);
    const { g } = this;
    if (length > 1) {
      const size = Math.min(9, length);
      const [ux, uy] = [dx / length, dy / length];
      this.line([from, to], colour, { width, dash });
      g.beginPath();
      g.moveTo(...b);
      g.lineTo(b[0] - size * ux - 0.5 * size * uy, b[1] - size * uy + 0.5 * size * ux);
      g.lineTo(b[0] - size * ux + 0.5 * size * uy, b[1] - size * uy - 0.5 * size * ux);
      g.closePath();
      Object.assign(g, { fillStyle: colour }).fill();
    }
    if (knob) {
      g.beginPath();
      g.arc(...b, 7, 0, 2 * Math.PI);
      Object.assign(g, { strokeStyle: colour, lineWidth: 1.5 }).stroke();
    }
  }

  text(words, point, { colour = this.colours.soft, size = 13, align = "left" } = {}) {
    const { g } = this;
    Object.assign(g, { fillStyle: colour, font: `${size}px system-ui, sans-serif`, textAlign: align });
    g.fillText(words, ...this.to(point));
  }
}
