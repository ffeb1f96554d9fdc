import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { rowsFetcher } from "../../api/providers/fetch-rows.ts";
import { serve } from "../security/support/ask-server.ts";

const open = { allowPrivateEndpoints: true, ownHosts: [] };
const mebibyte = 1024 * 1024;

async function fetched(
  listener: RequestListener,
  more: { authorization?: string; etag?: string } = {},
  timeoutMs?: number,
) {
  const url = await serve(listener);
  const asked = { url: `${url}/rows?sig=secret`, etag: null, ...more };
  const found = await rowsFetcher(open, timeoutMs)(asked);
  expect(JSON.stringify(found)).not.toContain("sig=secret");
  return found;
}
const detailOf = (found: Awaited<ReturnType<typeof fetched>>) =>
  found.kind === "failed" ? found.detail : found.kind;
const textOf = (found: Awaited<ReturnType<typeof fetched>>) =>
  found.kind === "rows" ? new TextDecoder().decode(found.file) : found.kind;

describe("rowsFetcher()", () => {
  it("sends the authorization and the known ETag, and returns the file with its ETag", async () => {
    const seen: Record<string, unknown> = {};
    const found = await fetched(
      (request, response) => {
        Object.assign(seen, { url: request.url, ...request.headers });
        response.writeHead(200, { etag: '"two"' }).end('{"id":"a"}\n');
      },
      { authorization: "Bearer t", etag: '"one"' },
    );
    expect(textOf(found)).toBe('{"id":"a"}\n');
    expect(found).toMatchObject({ etag: '"two"' });
    expect(seen).toMatchObject({
      url: "/v1/rows?sig=secret",
      authorization: "Bearer t",
      "if-none-match": '"one"',
      "user-agent": "assay",
    });
  });

  it("reports an unchanged file only if an ETag was sent", async () => {
    const unchanged: RequestListener = (_request, response) => response.writeHead(304).end();
    expect((await fetched(unchanged, { etag: '"one"' })).kind).toBe("unchanged");
    expect(detailOf(await fetched(unchanged))).toContain("304");
  });

  it.each(["plain", "gzip"])("recognises a %s file by its first bytes", async (how) => {
    const text = '{"id":"größe"}\n'.repeat(1_000);
    const body = how === "gzip" ? gzipSync(text) : Buffer.from(text);
    expect(textOf(await fetched((_request, response) => response.end(body)))).toBe(text);
  });

  it.each([301, 302, 307])("follows no redirect (%i) to a private address", async (status) => {
    let reached = 0;
    const target = await serve((_request, response) => {
      reached += 1;
      response.end("{}");
    });
    const found = await fetched((_request, response) =>
      response.writeHead(status, { location: target }).end(),
    );
    expect(detailOf(found)).toContain(`redirects (${status}), which is not followed`);
    expect(reached).toBe(0);
  });

  it.each([
    [401, "401: check the stream's authorization"],
    [404, "its server answered 404"],
    [500, "its server answered 500"],
    [204, "its server answered 204"],
  ])("reports a status of %i", async (status, detail) => {
    expect(
      detailOf(await fetched((_request, response) => response.writeHead(status).end())),
    ).toContain(detail);
  });

  it("rejects a file of more than 25 MB, also if only the unpacked file is larger", async () => {
    let sent = 0;
    const large = await fetched((_request, response) => {
      const more = () => {
        while (sent++ < 60) if (!response.write(Buffer.alloc(mebibyte, "x"))) break;
        if (sent < 60) response.once("drain", more);
        else response.end();
      };
      more();
    });
    expect(detailOf(large)).toContain("more than 25 MB");
    const bomb = gzipSync(Buffer.alloc(60 * mebibyte, "x"));
    expect(bomb.length).toBeLessThan(mebibyte);
    const unpacked = await fetched((_request, response) => response.end(bomb));
    expect(detailOf(unpacked)).toContain("more than 25 MB (unpacked)");
  });

  it("reports a broken gzip file", async () => {
    const broken = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 7)]);
    const found = await fetched((_request, response) => response.end(broken));
    expect(detailOf(found)).toContain("can't be unpacked");
  });

  it.each(["before it answers", "within its file"])(
    "gives up a server that hangs %s",
    async (when) => {
      const found = await fetched(
        (_request, response) => {
          if (when === "within its file") response.writeHead(200).write('{"id":"a"}\n');
        },
        {},
        300,
      );
      expect(detailOf(found)).toBe("it did not arrive within 0.3 s");
    },
  );

  it("reports an unreachable server", async () => {
    const found = await rowsFetcher(open)({ url: "http://127.0.0.1:9/rows", etag: null });
    expect(found).toMatchObject({ kind: "failed" });
  });

  it.each([
    ["http://logs.example.com/rows", "must begin with https://"],
    ["https://127.0.0.1/rows", "must be a public host"],
    ["https://10.0.0.1/rows", "must be a public host"],
    ["https://169.254.169.254/rows", "must be a public host"],
    ["https://localtest.me/rows", "must be a public host"],
    ["https://assay.example.com/rows", "outside of this service's own zone"],
    ["https://user:pass@logs.example.com/rows", "must not contain a user name"],
  ])("does not fetch %s", async (url, why) => {
    const closed = { allowPrivateEndpoints: false, ownHosts: ["assay.example.com"] };
    const found = await rowsFetcher(closed)({ url, etag: null });
    expect(found).toEqual({ kind: "failed", detail: expect.stringContaining(why) });
  });
});
