import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { openSite } from "../../../cli/local/site-files.ts";
import { answerTo, apiOrigin, type StubRoutes } from "./stub-api.ts";

// Stub for badges, which the API serves on the same origin.
const badge = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><rect width="90" height="20"/></svg>`,
);

const svg = { "content-type": "image/svg+xml" };
const json = { "content-type": "application/json" };

function answeredBy(api: StubRoutes, method: string, url: URL) {
  const asked = { method, path: url.pathname, query: url.searchParams, headers: {}, body: null };
  const { status = 200, body } = answerTo(asked, [api]);
  return { status, headers: json, body: Buffer.from(JSON.stringify(body)) };
}

/** Content types of files that can contain the API's origin. */
const texts = /^text\/(html|javascript)/;

/**
 * Serves a built site like the Worker's static assets, gzipped on request. `api`: routes that play the API on the
 * site's own origin.
 */
export async function serveDist(
  dir: string,
  { gzip = false, api }: { gzip?: boolean; api?: StubRoutes } = {},
): Promise<{ origin: string; server: Server }> {
  const site = await openSite(dir);
  const reply = async (method: string, url: URL) => {
    const { pathname: path, search } = url;
    if (path.startsWith("/badge/")) return { status: 200, headers: svg, body: badge };
    if (api && path.startsWith("/v1/")) return answeredBy(api, method, url);
    const { status, headers, body } = await site({ path, search, ifNoneMatch: null });
    const content = Buffer.from(body ?? "");
    if (!api || !texts.test(headers["content-type"] ?? ""))
      return { status, headers, body: content };
    const text = content.toString().replaceAll(apiOrigin, url.origin);
    return { status, headers, body: Buffer.from(text) };
  };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const { status, headers, body } = await reply(request.method ?? "GET", url);
    response.writeHead(status, { ...headers, ...(gzip && { "content-encoding": "gzip" }) });
    response.end(gzip ? gzipSync(body) : body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
