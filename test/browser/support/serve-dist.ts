import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

// Badges come from the API, which answers on the same origin.
const badge = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><rect width="90" height="20"/></svg>`;

/** The headers that `_headers` sets for every page. */
function sharedHeaders(file: string): Record<string, string> {
  const block = file.split(/\n(?=\S)/).find((part) => part.startsWith("/*\n")) ?? "";
  const lines = block.split("\n").filter((line) => line.startsWith("  "));
  return Object.fromEntries(
    lines.map((line) => [line.slice(2, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
}

/** Serves a built site as static assets would be: folders by index.html, 404.html for the rest. */
export async function serveDist(dir: string): Promise<{ origin: string; server: Server }> {
  const headers = sharedHeaders(await readFile(join(dir, "_headers"), "utf8"));
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname));
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const found = path.startsWith("/badge/")
      ? badge
      : await readFile(join(dir, file)).catch(() => null);
    const body = found ?? (await readFile(join(dir, "404.html")));
    const type = found ? types[extname(file)] : types[".html"];
    response.writeHead(found ? 200 : 404, { ...headers, "content-type": type ?? "text/plain" });
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
