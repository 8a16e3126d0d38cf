// Verdicts by rules, as the tables of numbers that the engine takes.

import { finite, finiteVector, flag, number, options, refused, whole, word } from "./check.js";
import { disc, rules } from "./options.js";

const MOST = Number.MAX_VALUE;
/** Numbers of a command: which, of whom, and those of the disc that it may insert. */
const COMMAND = 2 + disc({ position: [0, 0], radius: 1 }).length;
const SIDES = ["first", "second"];

/** A number from 0 on. */
function amount(value, field) {
  if (!(finite(value, field) >= 0)) throw refused(field, value, "a number from 0 on");
  return value;
}

/** Kind, least and most user data, groups and team of one of two that meet. */
function side(given, what) {
  const { is, userData, membership = 0, team } = options(given, what, ["is", "userData", "membership", "team"]);
  const kind = is === undefined ? 0 : 1 + ["disc", "wall"].indexOf(word(is, `${what}.is`, ["disc", "wall"]));
  const isRange = Array.isArray(userData);
  if (isRange && userData.length !== 2) throw refused(`${what}.userData`, userData, "a whole number, or the least and the most");
  const range = userData === undefined ? [0, MOST] : (isRange ? userData : [userData, userData]).map((value) => whole(value, `${what}.userData`));
  return [kind, ...range, whole(membership, `${what}.membership`, 2 ** 32 - 1), team === undefined ? -1 : whole(team, `${what}.team`, 2 ** 32 - 1)];
}

/** What a verdict is called, with its number and what that is called. */
const VERDICTS = {
  bounce: [0], restitution: [1, "restitution"], impulse: [2, "impulse"], least_impulse: [3, "impulse"], kick: [4, "speed"], pass: [5],
  capture: [6, "which"], remove: [7, "which"], bounce_and_remove: [8, "which"],
};

function verdict(of, field) {
  const name = word(of.verdict, `${field}.verdict`, Object.keys(VERDICTS));
  const [code, more] = VERDICTS[name];
  if (more === "which") return [code, 0, 1 + [...SIDES, "both"].indexOf(word(of.which, `${field}.which`, [...SIDES, "both"]))];
  return [code, more === undefined ? 0 : amount(of[more], `${field}.${more}`), 0];
}

const sideOf = (value, field) => 1 + SIDES.indexOf(word(value, field, SIDES));

/** Each command: its options, and whom it is for with its numbers. */
const COMMANDS = {
  setUserData: [["of", "userData"], (c, at) => [sideOf(c.of, `${at}.of`), whole(c.userData, `${at}.userData`)]],
  setVelocity: [["of", "velocity"], (c, at) => [sideOf(c.of, `${at}.of`), ...finiteVector(c.velocity, `${at}.velocity`)]],
  setPosition: [["of", "position"], (c, at) => [sideOf(c.of, `${at}.of`), ...finiteVector(c.position, `${at}.position`)]],
  applyImpulse: [["of", "impulse"], (c, at) => [sideOf(c.of, `${at}.of`), ...finiteVector(c.impulse, `${at}.impulse`)]],
  setEnabled: [["of", "enabled"], (c, at) => [sideOf(c.of, `${at}.of`), flag(c.enabled, `${at}.enabled`) ? 1 : 0]],
  setRules: [["of", "membership", "mask", "team"], (c, at) => [sideOf(c.of, `${at}.of`), ...rules(c, `${at}.`)]],
  setTimer: [["seconds", "note"], (c, at) => [0, amount(c.seconds, `${at}.seconds`), whole(c.note ?? 0, `${at}.note`)]],
  turnArm: [["wall", "angle", "rate"], (c, at) => [0, finite(c.angle, `${at}.angle`), finite(c.rate, `${at}.rate`), 0, finite(c.wall, `${at}.wall`)]],
  moveWall: [["wall", "offset", "seconds"], (c, at) =>
    [0, ...finiteVector(c.offset, `${at}.offset`), amount(c.seconds, `${at}.seconds`), finite(c.wall, `${at}.wall`)]],
  addDisc: [["at", "disc"], (c, at) => {
    const place = ["contact", ...SIDES].indexOf(word(c.at ?? "contact", `${at}.at`, ["contact", ...SIDES]));
    // What is infinite is the largest number in the table, as snapshots have no infinity.
    return [place, ...Array.from(disc(c.disc), (value, index) => finite(value === Infinity ? MOST : value, `${at}.disc[${index}]`))];
  }],
  setRadius: [["of", "radius"], (c, at) => [sideOf(c.of, `${at}.of`), amount(c.radius, `${at}.radius`)]],
  setMass: [["of", "mass"], (c, at) => [sideOf(c.of, `${at}.of`), amount(c.mass === Infinity ? MOST : c.mass, `${at}.mass`)]],
  setRestitution: [["of", "restitution"], (c, at) => [sideOf(c.of, `${at}.of`), amount(c.restitution, `${at}.restitution`)]],
};

function command(given, at) {
  if (typeof given !== "object" || given === null) throw refused(at, given, "an object");
  const name = word(given.do, `${at}.do`, Object.keys(COMMANDS));
  const [known, read] = COMMANDS[name];
  const numbers = read(options(given, at, ["do", ...known]), at);
  const row = new Array(COMMAND).fill(0);
  row[0] = Object.keys(COMMANDS).indexOf(name);
  numbers.forEach((value, index) => { row[1 + index] = value; });
  return row;
}

const RULE = ["first", "second", "minSpeed", "maxSpeed", "toward", "verdict", "restitution", "impulse", "speed", "which", "commands"];

/** Rules and commands in rows of numbers: those of `rulebook.rs`. */
export function verdicts(list) {
  if (!Array.isArray(list)) throw refused("verdicts", list, "a list of rules");
  const [table, commands] = [[], []];
  list.forEach((given, index) => {
    const at = `verdicts[${index}]`;
    const of = options(given, at, RULE);
    const asked = of.commands ?? [];
    if (!Array.isArray(asked)) throw refused(`${at}.commands`, asked, "a list of commands");
    const least = of.minSpeed === undefined ? -MOST : amount(of.minSpeed, `${at}.minSpeed`);
    const most = number(of.maxSpeed ?? Infinity, `${at}.maxSpeed`);
    if (!(most >= 0)) throw refused(`${at}.maxSpeed`, most, "a number from 0 on, or infinity");
    const toward = of.toward === undefined ? [0, 0] : finiteVector(of.toward, `${at}.toward`);
    if (of.toward !== undefined && toward[0] === 0 && toward[1] === 0) throw refused(`${at}.toward`, of.toward, "another vector than 0");
    table.push(
      ...side(of.first ?? {}, `${at}.first`), ...side(of.second ?? {}, `${at}.second`), least, Math.min(most, MOST), ...toward,
      ...verdict(of, at), commands.length / COMMAND, asked.length,
    );
    asked.forEach((each, number) => commands.push(...command(each, `${at}.commands[${number}]`)));
  });
  return [Float64Array.from(table), Float64Array.from(commands)];
}
