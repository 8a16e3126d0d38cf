// Walls of all forms, drawn and measured.

const arcPoints = ([x, y], radius, start, sweep) => {
  const count = Math.max(2, Math.ceil((Math.abs(sweep) / (2 * Math.PI)) * 96));
  return Array.from({ length: count + 1 }, (_, k) => {
    const angle = start + (sweep * k) / count;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
};

/** The lines that show a wall; half-planes as long as what is seen. */
function lines(form, seen) {
  switch (form.shape) {
    case "half_plane": {
      const [nx, ny] = form.normal;
      const length = Math.hypot(nx, ny);
      const [x, y] = form.point;
      const far = Math.hypot(seen[2] - seen[0], seen[3] - seen[1]) + Math.hypot(x - seen[0], y - seen[1]);
      return [[[x - (far * ny) / length, y + (far * nx) / length], [x + (far * ny) / length, y - (far * nx) / length]]];
    }
    case "segment":
    case "one_sided_segment":
      return [[form.a, form.b]];
    case "disc":
    case "circle":
      return [arcPoints(form.center, form.radius, 0, 2 * Math.PI)];
    case "arc":
      return [arcPoints(form.center, form.radius, form.start, form.sweep)];
    case "polyline":
      return [form.closed ? [...form.points, form.points[0]] : form.points];
    case "container": {
      const [[l, b], [r, t]] = [form.min, form.max];
      return [[[l, b], [r, b], [r, t], [l, t], [l, b]]];
    }
    case "stadium": {
      const [[x, y], half, radius] = [form.center, form.half_length, form.radius];
      return [[...arcPoints([x + half, y], radius, -Math.PI / 2, Math.PI), ...arcPoints([x - half, y], radius, Math.PI / 2, Math.PI), [x + half, y - radius]]];
    }
    case "arm": {
      const [x, y] = form.pivot;
      const tip = [x + form.length * Math.cos(form.angle), y + form.length * Math.sin(form.angle)];
      return [[form.pivot, tip]];
    }
    default:
      return [];
  }
}

export function drawWalls(sheet, walls) {
  const { seen, colours } = sheet;
  for (const { form } of walls) for (const points of lines(form, seen)) sheet.line(points, colours.wall, { width: 2 });
}

/** The part of the plane to show: what the scene says, or what is there. */
export function bounds(view, walls, states) {
  if (view?.bounds) return [...view.bounds.min, ...view.bounds.max];
  const points = [];
  for (const { form } of walls) if (form.shape !== "half_plane") points.push(...lines(form, [0, 0, 0, 0]).flat());
  for (let at = 0; at < states.length; at += 8) {
    const [x, y, radius] = [states[at], states[at + 1], states[at + 4]];
    points.push([x - radius, y - radius], [x + radius, y + radius]);
  }
  for (const { center: [x, y], radius } of view?.pockets ?? []) points.push([x - radius, y - radius], [x + radius, y + radius]);
  if (points.length === 0) return [-1, -1, 1, 1];
  const ends = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    ends[0] = Math.min(ends[0], x);
    ends[1] = Math.min(ends[1], y);
    ends[2] = Math.max(ends[2], x);
    ends[3] = Math.max(ends[3], y);
  }
  const margin = 0.03 * Math.max(ends[2] - ends[0], ends[3] - ends[1]) || 1;
  return [ends[0] - margin, ends[1] - margin, ends[2] + margin, ends[3] + margin];
}
