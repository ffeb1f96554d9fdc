import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { headerRules } from "../rehearsal/cloud/control/account-limits.ts";
import { guards } from "../rehearsal/guards.ts";
import type { Nearest } from "../rehearsal/limit-table.ts";
import { productFiles } from "./product-files.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
/** Far below the platform's 100: each is of a folder, or of one file. */
const MOST_RULES = 10;

describe.each(Object.entries(guards))("%s", (_, { guards: its }) => {
  it.each(its)("is kept by code that is there, with a test: $code", ({ code, test }) => {
    const [file, name] = code;
    const [testFile, title] = test;
    expect(read(file)).toContain(name);
    expect(read(testFile)).toContain(`"${title}"`);
  });
});

it("the site's table says how each of its limits is kept", () => {
  const { limits } = JSON.parse(read("site/src/data/docs/rehearsal.json")) as { limits: Nearest[] };
  expect(limits.length).toBeGreaterThan(15);
  for (const { limit, keptBy } of limits)
    expect([limit, keptBy]).toEqual([limit, guards[limit]?.by]);
});

it("no request leaves work for after its response", () => {
  const api = productFiles().filter((file) => file.startsWith("api/"));
  expect(api.length).toBeGreaterThan(100);
  expect(api.filter((file) => /\bwaitUntil\(|\bexecutionCtx\b/.test(read(file)))).toEqual([]);
});

it("the site's _headers have few rules", () => {
  const rules = headerRules({
    assets: { jwt: "", config: { _headers: read("site/public/_headers") } },
  });
  expect(rules).toBeGreaterThan(2);
  expect(rules).toBeLessThanOrEqual(MOST_RULES);
});
