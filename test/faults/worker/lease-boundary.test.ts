import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  aRow,
  emptyCommit,
  harness,
  relayDataset,
  someUnits,
  submitRun,
  wish,
} from "../../worker/support/harness.ts";
import { proves } from "./proves.ts";

const T0 = 1_000_000;
const EXPIRES = T0 + 30_000;

const objectsOf = async (runId: string) => {
  const select = "SELECT seq, object FROM samples WHERE run_id = ? ORDER BY seq";
  return (await env.DB.prepare(select).bind(runId).all()).results;
};

/** A lane with a first holder that has claimed three units. */
async function heldLane() {
  const { platform } = harness();
  const options = { concurrency: 5 };
  const run = await submitRun(platform, await relayDataset(platform, 10), { options });
  await platform.runs.takeLease(wish(run, T0, EXPIRES));
  await platform.runs.commit({ ...emptyCommit(run, T0, EXPIRES), claim: someUnits(3), keep: [] });
  return { platform, run };
}

describe("takeLease() and commit() at a lease boundary", () => {
  it.each([
    [-1, "held"],
    [0, "taken"],
    [1, "taken"],
  ])("%i ms after its end, the lane is %s", async (offset, kind) => {
    const { platform, run } = await heldLane();
    const taking = await platform.runs.takeLease(wish(run, EXPIRES + offset, EXPIRES + 60_000));
    expect(taking.kind).toBe(kind);
    if (taking.kind === "taken") expect(taking).toMatchObject({ attempt: 2, units: [0, 1, 2] });
  });

  it.each([
    [-1, "first"],
    [0, "second"],
    [1, "second"],
  ])("both holders commit %i ms after its end: only the %s one counts", async (offset, winner) => {
    const { platform, run } = await heldLane();
    const now = EXPIRES + offset;
    await platform.runs.takeLease(wish(run, now, now + 30_000));
    const first = { ...emptyCommit(run, now, now + 30_000), attempt: 1, commits: 1 };
    const second = { ...emptyCommit(run, now, now + 30_000), attempt: 2 };
    const commits = [
      { ...first, rows: [0, 1, 2].map((seq) => ({ ...aRow(run, seq), object: "first" })) },
      { ...second, rows: [0, 1, 2].map((seq) => ({ ...aRow(run, seq), object: "second" })) },
    ];
    const results = await Promise.all(commits.map((commit) => platform.runs.commit(commit)));
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    expect(await objectsOf(run)).toEqual([0, 1, 2].map((seq) => ({ seq, object: winner })));
    expect(await platform.runs.get(run)).toMatchObject({
      done: 3,
      inputTokens: 300,
      outputTokens: 300,
    });
    proves("two holders at a lease boundary");
  });

  it("twenty requests for a lease in the same millisecond give one holder", async () => {
    const { platform, run } = await heldLane();
    const wishes = Array.from({ length: 20 }, () => wish(run, EXPIRES, EXPIRES + 30_000));
    const replies = await Promise.all(wishes.map((one) => platform.runs.takeLease(one)));
    expect(replies.filter(({ kind }) => kind === "taken")).toHaveLength(1);
    proves("lease requests in the same millisecond", wishes.length);
  });
});

const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

describe("units claimed with the lease", () => {
  it("are claimed once, also if the request is repeated", async () => {
    const { platform } = harness();
    const options = { concurrency: 15 };
    const run = await submitRun(platform, await relayDataset(platform, 15), { options });
    const first = { ...wish(run, T0, EXPIRES), claim: 7 };
    expect(await platform.runs.takeLease(first)).toMatchObject({ units: from(0, 7) });
    expect(await platform.runs.takeLease(first)).toMatchObject({ units: from(0, 7) });
    const second = { ...wish(run, T0, EXPIRES), lane: 1, claim: 7 };
    expect(await platform.runs.takeLease(second)).toMatchObject({ units: from(7, 7) });
    const third = { ...wish(run, T0, EXPIRES), lane: 2, claim: 7 };
    expect(await platform.runs.takeLease(third)).toMatchObject({ units: [14] });
  });

  it("go to the next holder if the first one is gone, and the next holder claims no others", async () => {
    const { platform } = harness();
    const run = await submitRun(platform, await relayDataset(platform, 10));
    await platform.runs.takeLease({ ...wish(run, T0, EXPIRES), claim: 3 });
    const next = { ...wish(run, EXPIRES, EXPIRES + 30_000), claim: 3 };
    expect(await platform.runs.takeLease(next)).toMatchObject({ attempt: 2, units: [0, 1, 2] });
    const commit = {
      ...emptyCommit(run, EXPIRES, EXPIRES + 30_000),
      attempt: 2,
      claim: someUnits(2),
    };
    expect(await platform.runs.commit(commit)).toMatchObject({ claimed: [3, 4], remaining: 5 });
  });
});
