// A static host on this machine, for the tests.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".txt": "text/plain" };

/** Serves a folder at a port of its own; `asked` has the paths that were asked for and are not there. */
export async function serve(folder) {
  const missing = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const name = path.endsWith("/") ? `${path}index.html` : path;
      const bytes = await readFile(join(folder, name));
      const type = TYPES[extname(name)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type }).end(bytes);
    } catch {
      missing.push(path);
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, missing, close: () => server.close() };
}
