import { expect, it } from "vitest";
import { committed, ended, finished, lane, result, start } from "./__fixtures__/lanes.ts";
import { type LaneEvent, type LaneState, stateAfter } from "./lane-state.ts";

type Row = [title: string, state: LaneState, event: LaneEvent, changes: Partial<LaneState>];

const transitions: Row[] = [
  [
    "a unit begins: it is the first in the queue",
    start,
    { kind: "unit-begun" },
    { queue: [1, 2], active: [0] },
  ],
  ["no unit starts if none is queued", lane({ queue: [] }), { kind: "unit-begun" }, {}],
  [
    "a unit ends: it waits to be saved from now on",
    lane({ queue: [], active: [4, 5] }),
    ended(4, { kind: "finished", answered: 1, chars: 9, hopeless: null }),
    {
      active: [5],
      finished: [{ unit: 4, chars: 9 }],
      answered: 1,
      waitingSince: 500,
      carried: 1,
      unitMs: 300,
      requests: 1,
    },
  ],
  [
    "another unit ends: the wait still counts from the first",
    lane({
      active: [5],
      finished: finished(4),
      waitingSince: 100,
      answered: 1,
      carried: 1,
      unitMs: 100,
    }),
    ended(5, { kind: "finished", answered: 0, chars: 10, hopeless: null }),
    {
      active: [],
      finished: finished(4, 5),
      waitingSince: 100,
      answered: 1,
      carried: 2,
      unitMs: 200,
      requests: 1,
    },
  ],
  [
    "the endpoint postpones a unit after replies: it is queued again, and no other starts before",
    lane({ queue: [2], active: [1], notBefore: 50 }),
    ended(1, { kind: "postponed", until: 9_000, answered: 1 }),
    {
      queue: [2, 1],
      active: [],
      notBefore: 9_000,
      answered: 1,
      carried: 1,
      unitMs: 300,
      requests: 1,
    },
  ],
  [
    "an earlier time doesn't replace a later one",
    lane({ queue: [], active: [1], notBefore: 50_000 }),
    ended(1, { kind: "postponed", until: 9_000, answered: 0 }),
    { queue: [1], active: [], notBefore: 50_000, carried: 1, unitMs: 300, requests: 1 },
  ],
  [
    "storage is unavailable: the unit waits, and the lane starts no more units",
    lane({ queue: [], active: [1] }),
    ended(1, { kind: "storage-away" }),
    { queue: [1], active: [], phase: "cut-off", carried: 1, unitMs: 300, requests: 1 },
  ],
  [
    "storage is unavailable for a lane that lost its lease: it stays lost",
    lane({ queue: [], active: [1], phase: "lost" }),
    ended(1, { kind: "storage-away" }),
    { queue: [1], active: [], phase: "lost", carried: 1, unitMs: 300, requests: 1 },
  ],
  [
    "no lane waits: another span",
    start,
    { kind: "span-over", isToYield: false, now: 1_100 },
    { closesAt: 2_200, queries: 4 },
  ],
  [
    "no lane waits: each span is as long as all spans before it",
    lane({ queries: 12 }),
    { kind: "span-over", isToYield: false, now: 8_000 },
    { closesAt: 16_000, queries: 16 },
  ],
  [
    "no lane waits: a span is never longer than the maximum",
    start,
    { kind: "span-over", isToYield: false, now: 100_000 },
    { closesAt: 115_000, queries: 4 },
  ],
  [
    "another lane waits: it closes",
    start,
    { kind: "span-over", isToYield: true, now: 1_100 },
    { phase: "closing", closesAt: 2_200, queries: 4 },
  ],
  [
    "it has held the lane for the maximum time: it closes",
    start,
    { kind: "span-over", isToYield: false, now: 300_000 },
    { phase: "closing", closesAt: 315_000, queries: 4 },
  ],
  [
    "another lane waits for one that is cut off: it stays cut off",
    lane({ phase: "cut-off" }),
    { kind: "span-over", isToYield: true, now: 1_100 },
    { closesAt: 2_200, queries: 4 },
  ],
  [
    "a commit that saves takes the finished units",
    lane({ finished: finished(1, 2), answered: 2, commits: 4, saveAfterMs: 900 }),
    { kind: "commit-begun", saves: true },
    {
      finished: [],
      saving: finished(1, 2),
      answered: 0,
      commits: 5,
      saveAfterMs: 5_000,
      queries: 8,
    },
  ],
  [
    "its invocation has few queries left: it closes",
    lane({ queries: 774 }),
    { kind: "commit-begun", saves: false },
    { answered: 0, commits: 1, queries: 782, phase: "closing" },
  ],
  [
    "its invocation has few requests left: it closes",
    lane({ queue: [], active: [1, 2] }),
    {
      ...ended(1, { kind: "finished", answered: 1, chars: 10, hopeless: null }),
      requests: 8_000,
    } as LaneEvent,
    {
      active: [2],
      finished: finished(1),
      waitingSince: 500,
      answered: 1,
      carried: 1,
      unitMs: 300,
      requests: 8_000,
      phase: "closing",
    },
  ],
  [
    "a commit that only claims leaves the finished units",
    lane({ finished: finished(1, 2), answered: 2 }),
    { kind: "commit-begun", saves: false },
    { answered: 0, commits: 1, queries: 8 },
  ],
  [
    "saving failed: the units wait for the next commit, ahead of later ones",
    lane({ saving: finished(1), finished: finished(2) }),
    { kind: "save-failed", isLast: false, now: 800 },
    { phase: "cut-off", saving: [], finished: finished(1, 2), waitingSince: 800 },
  ],
  [
    "the last save failed: the units return to the queue",
    lane({ queue: [7], saving: finished(1) }),
    { kind: "save-failed", isLast: true, now: 800 },
    { phase: "cut-off", saving: [], queue: [7, 1], waitingSince: 800 },
  ],
  [
    "a commit brings units, slots and times",
    lane({ saving: finished(1), notBefore: 90 }),
    committed({ claimed: [8, 9], slots: 1, isBounded: true, notBefore: 80 }),
    {
      saving: [],
      run: { ...result, claimed: [8, 9], slots: 1, isBounded: true, notBefore: 80 },
      queue: [0, 1, 2, 8, 9],
      slots: 1,
      isBounded: true,
      notBefore: 90,
      committedAt: 700,
      heldUntil: 5_700,
    },
  ],
  [
    "the last commit sets how long the lane rests",
    start,
    committed({}, true),
    { run: result, committedAt: 700, heldUntil: 5_700, restMs: 5_000 },
  ],
  [
    "another holder has the lease: lost",
    start,
    { kind: "committed", result: null, isLast: false, now: 700, until: 5_700 },
    { phase: "lost", committedAt: 700, heldUntil: 5_700 },
  ],
];

it.each(transitions)("%s", (_, state, event, changes) => {
  expect(stateAfter(state, event)).toEqual({ ...state, ...changes });
});
