import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { latencyLoad, loadMarks } from "./latency-load.ts";

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
  ["no entries", [], null, {}],
  ["equal numbers of concurrent requests", timed("a", "b"), "up to 20 at once", {}],
  [
    "different numbers of concurrent requests",
    timed("a", "c"),
    null,
    { a: "up to 20 at once", c: "up to 5 at once" },
  ],
  [
    "some answers made elsewhere",
    timed("a", "sent"),
    "up to 20 at once",
    { sent: "timed elsewhere" },
  ],
  ["only answers made elsewhere", timed("sent"), null, { sent: "timed elsewhere" }],
  ["a run without latency", [...timed("a"), entry("c", null)], "up to 20 at once", {}],
  ["unknown runs", timed("bare", "gone"), null, { bare: "load not known", gone: "load not known" }],
])("latencyLoad() of %s", (_, entries, shared, own) => {
  const load = latencyLoad(entries, runs);
  expect(load.shared).toBe(shared);
  expect(Object.fromEntries(load.own)).toEqual(own);
});

it("loadMarks() gives runs with the same load the same sign, and a key to the signs", () => {
  const marks = loadMarks({
    own: new Map([
      ["a", "timed elsewhere"],
      ["b", "up to 5 at once"],
      ["c", "timed elsewhere"],
    ]),
  });
  expect(marks.key).toEqual([
    { sign: "†", text: "timed elsewhere" },
    { sign: "‡", text: "up to 5 at once" },
  ]);
  expect(["a", "b", "c", "d"].map(marks.of)).toEqual(["†", "‡", "†", undefined]);
});

it("loadMarks() writes the load into each row if there are too many", () => {
  const own = new Map([1, 2, 3, 4, 5].map((n) => [`run-${n}`, `up to ${n} at once`]));
  expect(loadMarks({ own }).key).toEqual([]);
  expect(loadMarks({ own }).of("run-3")).toBe("up to 3 at once");
});
