// What of a disc can be taken hold of: the disc, and the tip of its velocity.

/** Pixels from the rim of a disc to the tip of its arrow where it is at rest: a stub to pull at. */
const STUB = 15;
/** Pixels around a tip that are the tip's, whatever lies below it. */
const KNOB = 9;
/** Pixels beyond a rim or around a tip within which a pointer takes hold of what is nearest. */
const REACH = { mouse: 12, touch: 26, pen: 16 };

/** The tip of the arrow of a disc, which is at `seconds` of flight from the end of the stub: no disc hides its own. */
export function tipOf({ position: [x, y], velocity: [vx, vy], radius, heading = [1, 0] }, seconds, scale) {
  const speed = Math.hypot(vx, vy);
  const [ux, uy] = speed > 0 ? [vx / speed, vy / speed] : heading;
  const far = radius + STUB / scale;
  return [x + far * ux + seconds * vx, y + far * uy + seconds * vy];
}

/** The velocity whose arrow has its tip there, and where it points, which a disc at rest has, too. */
export function pulled({ position: [x, y], radius, heading = [1, 0] }, [tx, ty], seconds, scale) {
  const [dx, dy] = [tx - x, ty - y];
  const far = Math.hypot(dx, dy);
  if (far === 0) return { velocity: [0, 0], heading };
  const speed = Math.max(0, far - radius - STUB / scale) / seconds;
  return { velocity: [(speed * dx) / far, (speed * dy) / far], heading: [dx / far, dy / far] };
}

/** The arrow of a disc, from its rim to its tip; that of a disc at rest is thin. */
export function drawArrow(sheet, disc, seconds, colour, knob) {
  const tip = tipOf(disc, seconds, sheet.scale);
  const [x, y] = disc.position;
  const far = Math.hypot(tip[0] - x, tip[1] - y);
  const rim = [x + (disc.radius * (tip[0] - x)) / far, y + (disc.radius * (tip[1] - y)) / far];
  const rests = disc.velocity[0] === 0 && disc.velocity[1] === 0;
  sheet.arrow(rim, tip, colour, rests ? { width: 1, knob } : { knob });
}

/**
 * Which of some handles a pointer takes, by its number. Each has its place on the screen, and that of a disc a radius there, too. It is
 * the tip that the pointer is right on, or the disc that it is in, or else what is nearest within reach.
 */
export function taken(handles, [x, y], pointerType) {
  const reach = REACH[pointerType] ?? REACH.mouse;
  const all = handles.map(({ at, radius }, index) => ({ index, radius, far: Math.hypot(at[0] - x, at[1] - y) }));
  const nearest = (some, far) => some.reduce((best, each) => (best === undefined || far(each) < far(best) ? each : best), undefined);
  const [discs, tips] = [all.filter(({ radius }) => radius !== undefined), all.filter(({ radius }) => radius === undefined)];
  const disc = nearest(discs.filter(({ far, radius }) => far <= radius), ({ far }) => far);
  const tip = nearest(tips, ({ far }) => far);
  // The centre of a disc is the disc's, even where a tip lies on it.
  if (tip?.far <= KNOB && (disc === undefined || tip.far < 0.5 * disc.far)) return tip.index;
  const beyond = ({ far, radius = 0 }) => far - radius;
  return (disc ?? nearest(all.filter((each) => beyond(each) <= reach), beyond))?.index;
}

/** Lets a canvas be dragged on by mouse, pen and fingers. `grip` says what is there and does what is done with it. */
export function listen(canvas, { under, hold, drag, drop }) {
  const at = ({ clientX, clientY }) => {
    const box = canvas.getBoundingClientRect();
    return [clientX - box.left - canvas.clientLeft, clientY - box.top - canvas.clientTop];
  };
  let held;
  canvas.addEventListener("pointerdown", (event) => {
    const handle = held === undefined && event.button === 0 ? under(at(event), event.pointerType) : undefined;
    if (handle === undefined) return;
    const [x, y] = at(event);
    const [hx, hy] = hold(handle);
    held = { pointer: event.pointerId, off: [hx - x, hy - y] };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (held?.pointer === event.pointerId) drag([x + held.off[0], y + held.off[1]]);
    else canvas.style.cursor = under([x, y], event.pointerType) === undefined ? "default" : "grab";
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => {
      if (held?.pointer !== event.pointerId) return;
      held = undefined;
      drop();
    });
  }
  // A finger that holds something drags it; elsewhere it scrolls the page.
  canvas.addEventListener("touchstart", (event) => {
    if (held !== undefined || under(at(event.changedTouches[0]), "touch") !== undefined) event.preventDefault();
  }, { passive: false });
}
