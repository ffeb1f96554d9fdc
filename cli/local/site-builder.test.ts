import { mkdtempSync, rmSync } from "node:fs";
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

it("LocalSite builds for the service that calls its hook, and for no page of a browser", async () => {
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
