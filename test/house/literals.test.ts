import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const sources = globSync("{api,cli,shared,simulator,site/src,test}/**/*.{ts,tsx,astro,mjs}", {
  cwd: root,
});

it("no object or array literal is spread into another", () => {
  const isSpread = /\.\.\.(?:\{|\(?\[[^[\]]*\](?: as const\)(?!\.)|[,\]]))/;
  const found = sources.filter((path) => isSpread.test(readFileSync(join(root, path), "utf8")));
  expect(sources.length).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
