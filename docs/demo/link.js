// Links to scenes: #scene=NAME, or #world=TEXT with the whole scene as base64; and #c1.TEXT (discs) and #b1.TEXT (billiards), which the viewer makes and reads.

const encode = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (text) => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
};
/** What of an address is for the viewer. */
export const forViewer = (hash) => (/^#[bc]1\./.test(hash) ? hash.slice(1) : undefined);

const isName = (text) => /^[a-z0-9-]{1,64}$/.test(text);

/** The part of the address that leads to a scene. */
export const linkTo = (scene) => (isName(scene) ? `#scene=${scene}` : `#world=${encode(scene)}`);

/** The scene that an address leads to, if it says one: its name or its text. Throws if it cannot be read. */
export function linked(hash) {
  if (hash === "" || hash === "#") return undefined;
  const [, kind, value] = /^#(scene|world)=(.*)$/s.exec(hash) ?? [];
  if (kind === undefined) throw new Error("it is neither #scene=NAME nor #world=TEXT");
  if (kind === "scene") {
    const name = decodeURIComponent(value);
    if (!isName(name)) throw new Error("this is not the name of a scene");
    return name;
  }
  try {
    return decode(value);
  } catch {
    throw new Error("the text of its world is cut off or changed");
  }
}
