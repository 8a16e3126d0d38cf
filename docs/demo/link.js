// Links to scenes: #scene=NAME, or #world=TEXT with the whole scene as base64; and #c1.TEXT (discs) and #b1.TEXT (billiards), which the viewer makes and reads.

const encode = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (text) => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
};
const CUT = "a part of it is missing or changed";

/** What of an address is for the viewer. */
export const forViewer = (hash) => (/^#[bc]1\./.test(hash) ? hash.slice(1) : undefined);

const isName = (text) => /^[a-z0-9-]{1,64}$/.test(text);

/** The part of the address that leads to a scene. */
export const linkTo = (scene) => (isName(scene) ? `#scene=${scene}` : `#world=${encode(scene)}`);

/** Whether an address leads to a part of the page: a section or a figure. */
export const isPart = (hash) => /^#[a-z-]+$/.test(hash) && document.getElementById(hash.slice(1)) !== null;

/** The scene that an address leads to, if it says one: its name or its text. Throws, in words of the page, if it cannot be read. */
export function linked(hash) {
  if (hash === "" || hash === "#" || isPart(hash)) return undefined;
  const [, kind, value] = /^#(scene|world)=(.*)$/s.exec(hash) ?? [];
  if (kind === undefined) throw new Error("there is no such section, figure or scene on this page");
  if (kind === "scene") {
    if (!isName(value)) throw new Error("what it names cannot be the name of a scene");
    return value;
  }
  try {
    return decode(value);
  } catch {
    throw new Error(CUT);
  }
}

/** What is wrong with the scene of a link, in words of the page: it is cut off, or the reason without a place in a text that nobody sees. */
export function wrongWith(error) {
  if (error.code !== "scene") return error.message;
  const [, why] = /^scene:\d+:\d+: (.*)$/s.exec(error.message) ?? [];
  if (/^there is no scene/.test(error.message)) return error.message.replace(/`([^`]*)`/g, "“$1”");
  return why === undefined || error.field === undefined ? CUT : why.replaceAll("`", "");
}
