import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../local/root.ts";
import { type LockedPackage, partialInstall } from "./runtime-lock.ts";

const packages = {
  "node_modules/a": {
    version: "1.0.0",
    dev: true,
    dependencies: { b: "^2.0.0" },
    optionalDependencies: { o: "1.0.0" },
  },
  "node_modules/a/node_modules/b": { version: "2.1.0", dev: true, dependencies: { c: "*" } },
  "node_modules/b": { version: "1.0.0" },
  "node_modules/c": {
    version: "3.0.0",
    devOptional: true,
    peerDependencies: { p: "*", q: "*" },
    peerDependenciesMeta: { q: { optional: true } },
  },
  "node_modules/o": {
    version: "1.0.0",
    dev: true,
    optional: true,
    dependencies: { c: "*", d: "*" },
  },
  "node_modules/d": { version: "4.0.0", dev: true },
  "node_modules/p": { version: "5.0.0" },
  "node_modules/q": { version: "6.0.0" },
};

it("partialInstall() takes a package and its dependencies in the project's versions", () => {
  const { manifest, lock } = partialInstall(packages, "a");
  expect(manifest).toMatchObject({ private: true, dependencies: { a: "1.0.0" } });
  const { "": top, ...locked } = (lock as { packages: Record<string, object> }).packages;
  expect(top).toEqual(manifest);
  const { dev: _, ...a } = packages["node_modules/a"];
  const { dev: __, ...b } = packages["node_modules/a/node_modules/b"];
  const { devOptional: ___, ...c } = packages["node_modules/c"];
  expect(locked).toEqual({
    "node_modules/a": a,
    "node_modules/a/node_modules/b": b,
    // Not optional, because a required package needs it, too.
    "node_modules/c": c,
    "node_modules/d": { version: "4.0.0", optional: true },
    "node_modules/o": { version: "1.0.0", optional: true, dependencies: { c: "*", d: "*" } },
    "node_modules/p": { version: "5.0.0" },
  });
});

it("partialInstall() names a package that is missing in the lock file", () => {
  const { "node_modules/p": _, ...fewer } = packages;
  expect(() => partialInstall(fewer, "a")).toThrow("has no p, which node_modules/c needs");
});

it("partialInstall() of miniflare includes workerd for Linux with its hash", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const { lock } = partialInstall(packages, "miniflare");
  const { packages: found } = lock as { packages: Record<string, { integrity?: string }> };
  expect(found["node_modules/@cloudflare/workerd-linux-64"]?.integrity).toMatch(/^sha512-/);
  expect(Object.keys(found).length).toBeLessThan(Object.keys(packages).length / 5);
});
