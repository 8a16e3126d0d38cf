// What is checked before the engine sees it: types, names of options, whole numbers. Ranges are checked by the engine.

/** Why a call was refused. See carom.d.ts. */
export class CaromError extends Error {
  constructor({ code, message, field, value, allowed }) {
    super(message);
    this.name = "CaromError";
    this.code = code;
    if (field !== undefined) this.field = field;
    if (value !== undefined) this.value = value;
    if (allowed !== undefined) this.allowed = allowed;
  }
}

/** A value as an error shows it: short, and never a failure of its own. */
function shown(value) {
  try {
    if (typeof value === "string") return JSON.stringify(value.slice(0, 80));
    if (typeof value === "object" && value !== null) return Array.isArray(value) ? `[${value.length} values]` : "an object";
    if (typeof value === "function") return "a function";
    return String(value);
  } catch {
    return "something that cannot be shown";
  }
}

/** The error for a value that is not allowed. */
export function refused(field, value, allowed) {
  const text = shown(value);
  return new CaromError({ code: "value", message: `${field} is ${text}, allowed is ${allowed}`, field, value: text, allowed });
}

/** A number, which the engine is to judge. */
export function number(value, field) {
  if (typeof value !== "number") throw refused(field, value, "a number");
  return value;
}

export function finite(value, field) {
  if (typeof value !== "number" || !Number.isFinite(value)) throw refused(field, value, "a finite number");
  return value;
}

/** A whole number from 0 to `most`. */
export function whole(value, field, most = Number.MAX_SAFE_INTEGER) {
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw refused(field, value, `a whole number from 0 to ${most}`);
  }
  return value;
}

export function flag(value, field) {
  if (typeof value !== "boolean") throw refused(field, value, "true or false");
  return value;
}

export function text(value, field) {
  if (typeof value !== "string") throw refused(field, value, "a text");
  return value;
}

const VECTOR = "two numbers: [x, y] or { x, y }";

/** The two numbers of a vector. */
export function vector(value, field) {
  if (typeof value !== "object" || value === null) throw refused(field, value, VECTOR);
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  if (isList && value.length !== 2) throw refused(field, value, VECTOR);
  const [x, y] = isList ? [value[0], value[1]] : [value.x, value.y];
  if (typeof x !== "number") throw refused(`${field}.x`, x, "a number");
  if (typeof y !== "number") throw refused(`${field}.y`, y, "a number");
  return [x, y];
}

export function finiteVector(value, field) {
  const [x, y] = vector(value, field);
  return [finite(x, `${field}.x`), finite(y, `${field}.y`)];
}

/** An object that has no other keys than these. */
export function options(value, what, known) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused(what, value, "an object");
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) throw refused(`${what}.${key}`, value[key], `one of ${known.join(", ")}`);
  }
  return value;
}

/** One of some words. */
export function word(value, field, words) {
  if (!words.includes(value)) throw refused(field, value, `one of ${words.join(", ")}`);
  return value;
}
