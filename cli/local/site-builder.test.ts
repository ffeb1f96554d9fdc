import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Children } from "./processes.ts";
import { LocalSite } from "./site-builder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-site-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("LocalSite accepts its rebuild hook from the service, but not from pages in a browser", async () => {
  const children = new Children(join(folder, "processes.json"));
  const site = new LocalSite({
    origin: "",
    simulator: "",
    folder,
    isBuilt: false,
    children,
  });
  const request = vi.spyOn(site, "request");
  const server = await site.listen(0);
  const hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const origin of ["https://evil.example", "http://localhost:3000", "null"]) {
    const { status } = await fetch(hook, { method: "POST", headers: { origin } });
    expect(status).toBe(403);
  }
  expect(request).not.toHaveBeenCalled();
  expect((await fetch(hook)).status).toBe(405);
  expect((await fetch(hook, { method: "POST" })).status).toBe(202);
  expect(request).toHaveBeenCalledOnce();
  server.close();
});

it("LocalSite inserts the simulator's address into guides and does not change pictures", async () => {
  const made = join(folder, "site", "1");
  const picture = Buffer.from([0x52, 0x49, 0xff, 0xfe, 0x00]);
  for (const [path, content] of Object.entries({
    _headers: "/*\n  Vary: x\n",
    "404.html": "",
    "guides/a/index.html": "at http://localhost:8790/v1",
    "guides/pictures/a.webp": picture,
  })) {
    mkdirSync(join(made, path, ".."), { recursive: true });
    writeFileSync(join(made, path), content);
  }
  writeFileSync(join(folder, "site", "newest.json"), JSON.stringify({ name: "1", sources: "" }));
  const children = new Children(join(folder, "processes.json"));
  const simulator = "http://localhost:9999/v1";
  const site = new LocalSite({ origin: "", simulator, folder, isBuilt: false, children });
  const bodyOf = async (path: string) =>
    (await site.answer({ path, search: "", ifNoneMatch: null })).body;
  expect(Buffer.from((await bodyOf("/guides/a/")) ?? "").toString()).toBe(`at ${simulator}`);
  expect(Buffer.from((await bodyOf("/guides/pictures/a.webp")) ?? "")).toEqual(picture);
  // While a new build replaces the old one.
  rmSync(made, { recursive: true });
  const asked = { path: "/guides/a/", search: "", ifNoneMatch: null };
  expect(await site.answer(asked)).toMatchObject({ status: 503, body: null });
});
