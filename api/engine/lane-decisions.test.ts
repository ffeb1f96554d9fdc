import { describe, expect, it } from "vitest";
import { ended, finished, hold, lane, result, size, start } from "./__fixtures__/lanes.ts";
import {
  claimOf,
  doubtAtStart,
  firstClaim,
  leaseFor,
  nextUnit,
  outcomeOf,
  REST_MS,
  restsUntil,
  waitsToSave,
  wantsCommit,
  wantsSave,
  wantsSpan,
} from "./lane-decisions.ts";
import { type LaneEvent, type LaneState, laneAtStart, stateAfter } from "./lane-state.ts";

describe("nextUnit() starts a unit", () => {
  it.each<[string, Partial<LaneState>, number | undefined]>([
    ["if a slot is free", { active: [7] }, 0],
    ["not if all slots are in use", { active: [7, 8] }, undefined],
    [
      "not if unsaved answers use the slots and spending is bounded",
      { active: [7], finished: finished(8), isBounded: true },
      undefined,
    ],
    [
      "not while those answers are being saved",
      { active: [7], saving: finished(8), isBounded: true },
      undefined,
    ],
    [
      "in addition to unsaved answers if spending is not bounded",
      { active: [7], finished: finished(8) },
      0,
    ],
    ["not before the endpoint allows it", { notBefore: 101 }, undefined],
    ["when the endpoint allows it", { notBefore: 100 }, 0],
    ["not if the run is paused", { run: { ...result, status: "paused" } }, undefined],
    ["not if the lane is closing", { phase: "closing" }, undefined],
    ["not if storage was unavailable", { phase: "cut-off" }, undefined],
    ["not if the lease is lost", { phase: "lost" }, undefined],
  ])("%s", (_, changes, unit) => {
    expect(nextUnit(lane(changes), 100)).toBe(unit);
  });
});

/** A lane with enough units and nothing to save. */
const full: Partial<LaneState> = { queue: [0, 1, 2, 3, 4], run: result };

const fourteen = finished(...Array.from({ length: 14 }, (_, i) => i + 10));
const enoughSlow = { finished: [...fourteen, ...finished(9)], waitingSince: 1_000 };
const held = (leaseMs: number) => ({ committedAt: 0, heldUntil: leaseMs });

it.each([
  ["for the configured time", { carried: 1, unitMs: 7_500 }, 60_000],
  ["for eight slow units", { carried: 1, unitMs: 10_000 }, 80_000],
  ["for three minutes at most", { carried: 1, unitMs: 300_000 }, 180_000],
  ["for the configured time before the first unit has ended", { startedAt: 12_500 }, 60_000],
  ["for eight times the time without an ended unit", { startedAt: 10_000 }, 80_000],
])("leaseFor() is %s", (_, changes, lasts) => {
  expect(leaseFor(lane(changes), 20_000)).toBe(lasts);
});

describe("wantsCommit() commits", () => {
  it.each<[string, Partial<LaneState>, number, boolean]>([
    ["not while the lane has units and nothing is finished", full, 1_000, false],
    ["when the lane's units run low", { ...full, queue: [0, 1, 2, 3] }, 0, true],
    [
      "not to claim units when none remain",
      { ...full, queue: [], run: { ...result, remaining: 0 } },
      0,
      false,
    ],
    [
      "in the last round, when a slot would be idle",
      { ...full, queue: [0], run: { ...result, remaining: 8 } },
      0,
      true,
    ],
    [
      "not in the last round while every slot has a unit",
      { ...full, queue: [0, 1], run: { ...result, remaining: 8 } },
      0,
      false,
    ],
    [
      "when units run low in the last round without other lanes",
      { ...full, queue: [0, 1, 2, 3], run: { ...result, remaining: 8, isAlone: true } },
      0,
      true,
    ],
    [
      "when units run low in the last round of quick units",
      { ...full, queue: [0, 1], run: { ...result, remaining: 8 }, carried: 9, unitMs: 20 },
      0,
      true,
    ],
    ["not to claim units without a free slot", { ...full, queue: [], slots: 0 }, 0, false],
    ["after a third of the lease", full, 20_000, true],
    ["with 15 samples that have waited long enough", { ...full, ...enoughSlow }, 6_000, true],
    ["not with 15 samples that have waited less", { ...full, ...enoughSlow }, 5_999, false],
    ["not with 14 samples", { ...full, ...enoughSlow, finished: fourteen }, 19_999, false],
    [
      "with one sample that has waited for a minute and a half",
      { ...full, ...held(200_000), finished: finished(9), waitingSince: 1_000 },
      91_000,
      true,
    ],
    [
      "not with one sample that has waited less",
      { ...full, ...held(200_000), finished: finished(9), waitingSince: 1_000 },
      90_999,
      false,
    ],
    ["after half of a long lease", { ...full, ...held(120_000) }, 60_000, true],
    ["not before half of a long lease", { ...full, ...held(120_000) }, 59_999, false],
    [
      "with a full group of samples",
      { ...full, finished: finished(...Array.from({ length: 64 }, (_, i) => i)) },
      0,
      true,
    ],
    [
      "with one unit of as many samples as a group",
      { ...full, size: { ...size, samplesPerUnit: 100 }, finished: finished(9) },
      0,
      true,
    ],
    ["with long samples", { ...full, finished: [{ unit: 9, chars: 4_000_000 }] }, 0, true],
    [
      "with every sample if spending is bounded",
      { ...full, finished: finished(9), isBounded: true },
      0,
      true,
    ],
    [
      "never after the lease is lost",
      { ...full, finished: finished(9), phase: "lost" },
      60_000,
      false,
    ],
  ])("%s", (_, changes, now, wants) => {
    expect(wantsCommit(lane(changes), now, 0)).toBe(wants);
  });

  it("a second after the last commit, if the endpoint is overloaded", () => {
    const state = lane({ ...full, committedAt: 4_000 });
    expect([wantsCommit(state, 4_999, 1), wantsCommit(state, 5_000, 1)]).toEqual([false, true]);
  });

  it("and saves quick samples at the same interval in all lanes; slow ones first after the lane's share of it", () => {
    const first = laneAtStart(size, { ...hold, lane: 0 }, 60_000, false, 0);
    const slow = { ...first, ...enoughSlow, waitingSince: 0 };
    expect([wantsSave(slow, 1_249), wantsSave(slow, 1_250)]).toEqual([false, true]);
    const quick = { ...slow, carried: 3, unitMs: 149 };
    expect([wantsSave(quick, 4_999), wantsSave(quick, 5_000)]).toEqual([false, true]);
    const handedOn = laneAtStart(size, { ...hold, lane: 0, attempt: 2 }, 60_000, false, 0);
    expect(wantsSave({ ...handedOn, ...enoughSlow, waitingSince: 0 }, 4_999)).toBe(false);
  });
});

it("waitsToSave() keeps the lease and unsaved units for the longest time to wait for storage", () => {
  const cutOff = { ...lane({ finished: finished(7) }), phase: "cut-off" as const };
  expect([waitsToSave(cutOff, 899_999), waitsToSave(cutOff, 900_000)]).toEqual([true, false]);
  expect(waitsToSave({ ...cutOff, finished: [] }, 0)).toBe(false);
  expect(waitsToSave({ ...cutOff, phase: "open" }, 0)).toBe(false);
});

it("a careful lane works on one unit at a time, commits it, and claims no more", () => {
  const careful = laneAtStart(size, { ...hold, isCareful: true }, 60_000, false, 0);
  const begun = stateAfter(careful, { kind: "unit-begun" });
  expect([nextUnit(careful, 0), nextUnit(begun, 0)]).toEqual([0, undefined]);
  const done = stateAfter(
    begun,
    ended(0, { kind: "finished", answered: 1, chars: 10, hopeless: null }),
  );
  expect([nextUnit(done, 0), wantsSave(done, 0), claimOf(done, 0)]).toEqual([
    undefined,
    true,
    null,
  ]);
  const saving = stateAfter(done, { kind: "commit-begun", saves: true });
  expect(nextUnit(saving, 0)).toBe(undefined);
  const until = { isLast: false, now: 1, until: 60_000 };
  expect(nextUnit(stateAfter(saving, { kind: "committed", result, ...until }), 1)).toBe(1);
});

it("wantsSpan() checks at the end of the span whether other lanes wait", () => {
  expect([wantsSpan(start, 999), wantsSpan(start, 1_000)]).toEqual([false, true]);
  expect(wantsSpan(lane({ phase: "closing" }), 1_000)).toBe(false);
});

describe("claimOf() claims", () => {
  it.each<[string, Partial<LaneState>, ReturnType<typeof claimOf>]>([
    ["nothing while the lane has enough units", full, null],
    [
      "slow units in small parts",
      { queue: [] },
      { oneIn: 4, least: 5, most: 40, lastRound: 8, atOnce: 2 },
    ],
    [
      "only what its free slots take right now",
      { queue: [1], active: [0] },
      { oneIn: 4, least: 5, most: 40, lastRound: 8, atOnce: 0 },
    ],
    [
      "slow units before they run low, with a commit that saves",
      { ...full, saving: finished(9), carried: 1, unitMs: 250 },
      { oneIn: 4, least: 5, most: 40, lastRound: 8, atOnce: 0 },
    ],
    [
      "fewer slow units without a last round",
      { queue: [], carried: 1, unitMs: 249 },
      { oneIn: 4, least: 5, most: 40, lastRound: 0, atOnce: 2 },
    ],
    [
      "nothing if the lane has enough units until the next commit",
      { ...full, queue: Array.from({ length: 20 }, (_, i) => i), saving: finished(9) },
      null,
    ],
    [
      "no quick units with a commit that saves",
      { ...full, saving: finished(9), carried: 1, unitMs: 149 },
      null,
    ],
    [
      "nothing in the last round",
      { ...full, saving: finished(9), run: { ...result, remaining: 8 } },
      null,
    ],
    [
      "quick units in larger parts",
      { queue: [], carried: 1, unitMs: 149 },
      { oneIn: 4, least: 10, most: 64, lastRound: 0, atOnce: 0 },
    ],
    [
      "quick units of many samples in small parts",
      { queue: [], carried: 1, unitMs: 149, size: { ...size, samplesPerUnit: 100 } },
      { oneIn: 4, least: 10, most: 1, lastRound: 0, atOnce: 0 },
    ],
  ])("%s", (_, changes, claim) => {
    expect(claimOf(lane(changes), 0)).toEqual(claim);
  });

  it("a lane's share of a small run first; in a large run, each lane more than the previous one", () => {
    const small = { units: 60, lanes: 12, concurrency: 60 };
    expect([0, 11].map((one) => firstClaim(small, one))).toEqual([5, 5]);
    const large = { units: 1_000, lanes: 4, concurrency: 20 };
    expect([0, 1, 2, 3].map((one) => firstClaim(large, one))).toEqual([14, 23, 32, 40]);
    expect(firstClaim({ units: 2, lanes: 4, concurrency: 20 }, 0)).toBe(1);
  });

  it("in proportion to the lane's requests beyond five, and saves twice as many", () => {
    const wide = { units: 1_000, lanes: 3, concurrency: 60 };
    expect([0, 1, 2].map((one) => firstClaim(wide, one))).toEqual([67, 114, 160]);
    const changes = { size: wide, queue: [1], carried: 1, isBounded: false };
    const quick = lane({ ...changes, unitMs: 20, slots: 20 });
    expect(claimOf(quick, 0)).toMatchObject({ oneIn: 3, least: 40, most: 128 });
    const slow = lane({ ...changes, unitMs: 500, slots: 20 });
    expect(claimOf(slow, 0)).toMatchObject({ oneIn: 3, least: 20, most: 160 });
    const done = (count: number) => finished(...Array.from({ length: count }, (_, i) => i));
    const saves = [127, 128].map((count) => wantsSave({ ...quick, finished: done(count) }, 0));
    expect(saves).toEqual([false, true]);
  });
});

it("restsUntil() waits for the endpoint's time, and a fixed time without slots or storage", () => {
  expect(restsUntil(start, 100)).toBe(100);
  expect(restsUntil(lane({ notBefore: 900 }), 100)).toBe(900);
  expect(restsUntil(lane({ slots: 0 }), 100)).toBe(100 + REST_MS);
  expect(restsUntil(lane({ phase: "cut-off", notBefore: 90_000 }), 100)).toBe(90_000);
});

const none = { done: 0, failed: 0 };
const unanswered = { ...result, done: 5, answered: 0, isAlone: true };

it.each<[string, Partial<LaneState>, ReturnType<typeof outcomeOf>]>([
  ["lost before its first commit", {}, { kind: "lost" }],
  ["lost", { run: result, phase: "lost" }, { kind: "lost" }],
  ["complete", { run: { ...result, done: 200 } }, { kind: "complete" }],
  [
    "idle: other lanes do the rest",
    { queue: [], run: { ...result, remaining: 0 } },
    { kind: "idle" },
  ],
  ["idle: the run is paused", { run: { ...result, status: "paused" } }, { kind: "idle" }],
  [
    "handed on with its own units",
    { run: { ...result, remaining: 0 }, restMs: 70 },
    { kind: "handed-on", delayMs: 70 },
  ],
  ["handed on with unclaimed units", { queue: [], run: result }, { kind: "handed-on", delayMs: 0 }],
  [
    "hopeless: no sample has an answer, and no other lane may get one",
    { run: unanswered, doubt: { failed: 5, reason: "no key" } },
    { kind: "hopeless", reason: "no key" },
  ],
  [
    "handed on while others may get an answer",
    { run: { ...unanswered, isAlone: false }, doubt: { failed: 5, reason: "no key" }, restMs: 70 },
    { kind: "handed-on", delayMs: 70 },
  ],
  [
    "handed on if another lane got an answer",
    { run: { ...unanswered, answered: 1 }, doubt: { failed: 5, reason: "no key" }, restMs: 70 },
    { kind: "handed-on", delayMs: 70 },
  ],
  [
    "handed on after failures that say nothing about other samples",
    { run: unanswered, doubt: { failed: 2, reason: null } },
    { kind: "handed-on", delayMs: 0 },
  ],
  [
    "complete if all samples have failed",
    { run: { ...unanswered, done: 200 }, doubt: { failed: 5, reason: "no key" } },
    { kind: "complete" },
  ],
])("outcomeOf() is %s", (_, changes, outcome) => {
  expect(outcomeOf(lane(changes))).toEqual(outcome);
});

describe("a lane in doubt", () => {
  const refused = (unit: number) =>
    ended(unit, { kind: "finished", answered: 0, chars: 9, hopeless: "no key" });
  const doubting = laneAtStart(
    size,
    { ...hold, slots: 1, doubt: doubtAtStart(none) },
    60_000,
    false,
    0,
  );
  const stateOf = (...events: LaneEvent[]) => events.reduce(stateAfter, doubting);
  const begun = { kind: "unit-begun" } as const;

  it("asks for at most three samples if none can be answered", () => {
    const two = stateOf(begun, refused(0), begun, refused(1));
    expect([nextUnit(doubting, 500), nextUnit(two, 500)]).toEqual([0, 2]);
    const three = stateAfter(stateAfter(two, begun), refused(2));
    expect(nextUnit({ ...three, queue: [3] }, 500)).toBe(undefined);
    expect(three.doubt).toEqual({ failed: 3, reason: "no key" });
    expect(restsUntil(three, 500)).toBe(500 + REST_MS);
  });

  it("asks normally after the first sample that is answered or fails in another way", () => {
    const other = ended(1, { kind: "finished", answered: 0, chars: 9, hopeless: null });
    const trusting = stateOf(begun, refused(0), begun, other);
    expect(trusting.doubt).toBe(null);
    expect(stateAfter(stateAfter(trusting, begun), refused(2)).doubt).toBe(null);
  });

  it("asks for one sample if all earlier samples failed; there is no doubt once one is answered", () => {
    const warned = doubtAtStart({ done: 7, failed: 7 });
    expect(warned).toEqual({ failed: 2, reason: null });
    const slots = { ...hold, slots: 5, doubt: warned };
    const first = laneAtStart(size, slots, 60_000, false, 0);
    expect([nextUnit(first, 0), nextUnit(stateAfter(first, begun), 0)]).toEqual([0, undefined]);
    expect(doubtAtStart({ done: 7, failed: 6 })).toBe(null);
  });
});
