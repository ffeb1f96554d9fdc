import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { headerRules } from "./header-rules.ts";
import { answerTo, apiOrigin, type StubRoutes } from "./stub-api.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".xml": "application/xml; charset=utf-8",
  ".json": "application/json",
};

// Badges come from the API, which answers on the same origin.
const badge = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><rect width="90" height="20"/></svg>`,
);

interface Served {
  status: number;
  /** What its type follows from. */
  name: string;
  body: Buffer;
}

/** `ownApi`: the origin that takes the place of the API's. */
async function servedAt(dir: string, path: string, ownApi?: string): Promise<Served> {
  if (path.startsWith("/badge/")) return { status: 200, name: "badge.svg", body: badge };
  const name = path.endsWith("/") ? `${path}index.html` : path;
  const body = await readFile(join(dir, name)).catch(() => null);
  if (body === null) {
    return { status: 404, name: "404.html", body: await readFile(join(dir, "404.html")) };
  }
  if (ownApi === undefined || !texts.has(extname(name))) return { status: 200, name, body };
  const text = body.toString().replaceAll(apiOrigin, ownApi);
  return { status: 200, name, body: Buffer.from(text) };
}

function answeredBy(api: StubRoutes, method: string, url: URL): Served {
  const asked = { method, path: url.pathname, query: url.searchParams, headers: {}, body: null };
  const { status = 200, body } = answerTo(asked, [api]);
  return { status, name: "answer.json", body: Buffer.from(JSON.stringify(body)) };
}

/** Files of the site that may name the API's origin. */
const texts = new Set([".html", ".js"]);

/**
 * Serves a built site as static assets would be: folders by index.html, 404.html for the rest, with the headers of
 * `_headers`, and zipped where that is asked for. With `api` these routes are the API, on the site's own origin.
 */
export async function serveDist(
  dir: string,
  { gzip = false, api }: { gzip?: boolean; api?: StubRoutes } = {},
): Promise<{ origin: string; server: Server }> {
  const rules = headerRules(await readFile(join(dir, "_headers"), "utf8"));
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const path = normalize(decodeURIComponent(url.pathname));
    const { status, name, body } =
      api && path.startsWith("/v1/")
        ? answeredBy(api, request.method ?? "GET", url)
        : await servedAt(dir, path, api && url.origin);
    const set = rules.filter(({ paths }) => paths.test(path)).map(({ headers }) => headers);
    response.writeHead(status, {
      "content-type": types[extname(name)] ?? "text/plain",
      ...(gzip && { "content-encoding": "gzip" }),
      ...Object.assign({}, ...set),
    });
    response.end(gzip ? gzipSync(body) : body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
