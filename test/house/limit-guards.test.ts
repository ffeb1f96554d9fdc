import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PIECE } from "../../api/engine/finalize.ts";
import { settingsOf } from "../../api/platform/platform.ts";
import { root } from "../../cli/local/root.ts";
import { headerRules } from "../rehearsal/cloud/control/account-limits.ts";
import { limitsOf } from "../rehearsal/cloud/limits.ts";
import type { Guard } from "../rehearsal/guards/guard.ts";
import { dailyGuards, guards } from "../rehearsal/guards/guards.ts";
import { verdictOf } from "../rehearsal/guards/verdict.ts";
import { resultOf } from "../rehearsal/guards/without-guards.ts";
import type { Nearest } from "../rehearsal/limit-table.ts";
import { productFiles } from "./product-files.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");
/** Far below the platform's limit of 100; each rule covers a folder or one file. */
const RULES = 6;

const all = Object.entries(guards).flatMap(([limit, { guards: its }]) =>
  its.map((guard: Guard) => ({ limit, ...guard })),
);
it.each(all)("the guard of $limit occurs once in the code and has a test: $code", (guard) => {
  const [file, text] = guard.code;
  expect(read(file).split(text)).toHaveLength(2);
  expect(guard.without).not.toBe(text);
  expect(read(guard.testFile)).toContain(`"${guard.title}"`);
});

it("every limit has a guard, except daily limits, which are counted", () => {
  const unguarded = Object.entries(guards).filter(
    ([limit, { by, guards: its }]) =>
      its.length === 0 && !(limit in dailyGuards && by.startsWith("measured, not enforced")),
  );
  expect(unguarded.map(([limit]) => limit)).toEqual([]);
});

describe("npm run rehearse -- --without-guards", () => {
  const report = (status: string, ...failureMessages: string[]) => ({
    testResults: [
      {
        name: "/copy/api/a.test.ts",
        message: "",
        assertionResults: [
          { fullName: "a run of 5 (of 9) stops", status, failureMessages },
          { fullName: "another", status: "skipped", failureMessages: [] },
        ],
      },
    ],
  });
  const passes = report("passed");
  it.each([
    [
      "a test that fails without the guard",
      passes,
      report("failed", "AssertionError: 1"),
      "fails without it",
    ],
    ["a test that passes without the guard", passes, passes, "passes without the guard, too"],
    ["a mistake", passes, report("failed", "TypeError: 1"), "asserts nothing .* TypeError: 1"],
    ["a file without results", passes, { testResults: [] }, "asserts nothing .* no test has"],
    ["a test that always fails", report("failed", "AssertionError: 1"), passes, "does not pass"],
    ["a test that is skipped", report("skipped"), passes, "does not pass .* no test has"],
  ])("recognizes %s", (_, usual, without, wanted) => {
    const [one, other] = [usual, without].map((its) =>
      verdictOf(its, { testFile: "api/a.test.ts", title: "a run of %s (of 9) stops" }),
    );
    const { isHollow, text } = resultOf(one!, other!);
    expect(text).toMatch(new RegExp(wanted));
    expect(isHollow).toBe(wanted !== "fails without it");
  });
});

it("the site's table states how each limit is kept", () => {
  const { limits } = JSON.parse(read("site/src/data/docs/rehearsal.json")) as { limits: Nearest[] };
  expect(limits.length).toBeGreaterThan(15);
  for (const { limit, keptBy } of limits)
    expect([limit, keptBy]).toEqual([limit, guards[limit]?.by]);
});

it.each(["free", "paid"] as const)(
  "on the %s plan an invocation stops within its limits",
  (plan) => {
    const { d1Queries, subrequests } = limitsOf(plan);
    const { queries, requests, changeQueries } = settingsOf({ PLAN: plan } as never).plan;
    expect(queries).toBeLessThanOrEqual(d1Queries);
    expect(requests).toBeLessThanOrEqual(subrequests);
    // A publication takes about 20 more queries.
    expect(changeQueries + 20).toBeLessThanOrEqual(d1Queries);
  },
);

it("a piece of a run has the size in the table and fits on every plan", () => {
  const { internal, heapMb } = limitsOf("free");
  expect(PIECE.objects).toBeLessThan(internal);
  expect(PIECE.characters).toBeLessThanOrEqual((heapMb * 1e6) / 2);
  const { by } = guards["CPU time of a message or cron trigger"];
  expect(by).toContain(`in pieces of ${PIECE.rows.toLocaleString("en")} samples`);
});

it("no request leaves work to do after its response", () => {
  const api = productFiles().filter((file) => file.startsWith("api/"));
  expect(api.length).toBeGreaterThan(100);
  expect(api.filter((file) => /\bwaitUntil\(|\bexecutionCtx\b/.test(read(file)))).toEqual([]);
});

it("the site's _headers have few rules", () => {
  const rules = headerRules({
    assets: { jwt: "", config: { _headers: read("site/public/_headers") } },
  });
  expect(rules).toBe(RULES);
});
