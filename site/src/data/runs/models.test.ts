import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import { haveSameIds, simulatedModels } from "./models.ts";

const entry = (rank: number | null, simulated: boolean) =>
  ({ rank, model: { simulated } }) as LeaderboardEntry;

it.each([
  ["none", []],
  ["none", [entry(1, false)]],
  ["all", [entry(1, true), entry(null, true)]],
  ["ranked", [entry(1, true), entry(null, false)]],
  ["some", [entry(1, true), entry(2, false)]],
  ["some", [entry(1, false), entry(null, true)]],
  ["some", [entry(null, true), entry(null, false)]],
] as const)("simulatedModels() is %s for %j", (which, entries) => {
  expect(simulatedModels(entries)).toBe(which);
});

const served = (...models: (string | null)[]) =>
  models.map((model, i) => ({ model, answers: 9 - i }));

it.each([
  [true, { asked: ["m"], served: served("m-1") }, { asked: ["m"], served: served("m-1") }],
  [true, { asked: ["m"], served: served("a", "b") }, { asked: ["m"], served: served("b", "a") }],
  [true, { asked: ["m"], served: served("a") }, { asked: ["m"] }],
  [true, { served: served("a") }, { asked: ["m"], served: [] }],
  [true, { served: served("a", "b", "c", "d") }, { served: served("a", "b", "c", null) }],
  [false, { asked: ["m"] }, { asked: ["n"] }],
  [false, { asked: ["m"], served: served("m-1") }, { asked: ["m"], served: served("m-2") }],
  [false, { asked: ["m"], served: served("a") }, { asked: ["m"], served: served("a", null) }],
])("haveSameIds() is %s for %j and %j", (are, one, other) => {
  expect([haveSameIds(one, other), haveSameIds(other, one)]).toEqual([are, are]);
});
