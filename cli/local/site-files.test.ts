import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openSite } from "./site-files.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-site-"));
const site = join(folder, "site");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const [path, text] of Object.entries({
  "secret.html": "secret",
  "site/index.html": "home",
  "site/404.html": "nothing here",
  "site/docs/index.html": "docs",
  "site/a b/index.html": "space",
  "site/style.css": "a {}",
  "site/_headers":
    "/*\n  X-Frame-Options: DENY\n\n/style.css\n  Cache-Control: immutable\n\n/embed/*\n  ! X-Frame-Options\n  Vary: x\n",
  "site/embed/index.html": "embedded",
})) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const ask = async (path: string, search = "", ifNoneMatch: string | null = null) => {
  const { status, headers, body } = await (await openSite(site))({ path, search, ifNoneMatch });
  return { status, headers, text: body === null ? null : Buffer.from(body).toString() };
};

it.each([
  ["/", 200, "home"],
  ["/docs/", 200, "docs"],
  ["/a%20b/", 200, "space"],
  ["/style.css", 200, "a {}"],
  ["/nowhere", 404, "nothing here"],
  ["/nowhere/", 404, "nothing here"],
  ["/_headers", 404, "nothing here"],
  ["/%zz", 404, "nothing here"],
  ["/..%2fsecret.html", 404, "nothing here"],
  ["/docs/..%2f..%2fsecret.html", 404, "nothing here"],
  ["/..%5csecret.html", 404, "nothing here"],
  ["//docs/", 404, "nothing here"],
  ["/index.html%00", 404, "nothing here"],
])("openSite() answers %s with %d", async (path, status, text) => {
  expect(await ask(path)).toMatchObject({ status, text, headers: { "x-frame-options": "DENY" } });
});

it.each([
  ["/docs", "?a=1", "/docs/?a=1"],
  ["/docs/index.html", "", "/docs/"],
  ["/index.html", "", "/"],
])("openSite() redirects %s%s to its canonical path", async (path, search, location) => {
  expect(await ask(path, search)).toEqual({ status: 307, headers: { location }, text: null });
});

it("openSite() never redirects to another host", async () => {
  expect((await ask("//docs")).status).toBe(404);
  expect((await ask("//evil.example/index.html")).status).toBe(404);
});

it("openSite() omits a header that a later rule removes", async () => {
  const { headers } = await ask("/embed/");
  expect(headers).toMatchObject({ vary: "x" });
  expect(headers).not.toHaveProperty("x-frame-options");
});

it("openSite() sets content types, headers from _headers and an ETag, and answers 304", async () => {
  const { headers } = await ask("/style.css");
  expect(headers).toMatchObject({
    "content-type": "text/css; charset=utf-8",
    "cache-control": "immutable",
  });
  const { etag = "" } = headers;
  expect(await ask("/style.css", "", `W/"x", ${etag}`)).toMatchObject({ status: 304, text: null });
  expect((await ask("/style.css", "", '"x"')).status).toBe(200);
});
