import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/leaderboard.ts";
import { latencyLoad } from "./latency-load.ts";

const aRun = (id: string, concurrency: number | undefined, kind: "called" | "self-reported") => ({
  id,
  options: concurrency === undefined ? {} : { concurrency },
  provenance: { kind, endpointHost: null },
});

const entry = (run: string, value: number | null): Pick<LeaderboardEntry, "run" | "metrics"> => ({
  run,
  metrics: { latencyP95: { value, interval: null, n: 1, coverage: 1 } },
});

const runs = [
  aRun("a", 20, "called"),
  aRun("b", 20, "called"),
  aRun("c", 5, "called"),
  aRun("sent", 20, "self-reported"),
  aRun("bare", undefined, "called"),
];
const timed = (...ids: string[]) => ids.map((id) => entry(id, 100));

it.each([
  ["no entry", [], null, {}],
  ["one number", timed("a", "b"), "up to 20 at once", {}],
  ["two numbers", timed("a", "c"), null, { a: "up to 20 at once", c: "up to 5 at once" }],
  ["answers made elsewhere", timed("a", "sent"), "up to 20 at once", { sent: "timed elsewhere" }],
  ["such answers alone", timed("sent"), null, { sent: "timed elsewhere" }],
  ["a run without latency", [...timed("a"), entry("c", null)], "up to 20 at once", {}],
  [
    "runs that nobody knows",
    timed("bare", "gone"),
    null,
    { bare: "load not known", gone: "load not known" },
  ],
])("latencyLoad() of %s", (_, entries, shared, own) => {
  const load = latencyLoad(entries, runs);
  expect(load.shared).toBe(shared);
  expect(Object.fromEntries(load.own)).toEqual(own);
});
