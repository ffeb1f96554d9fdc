import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { followRuns, resumeBody } from "./follower.ts";

it.each([
  [null, undefined],
  ["", { maxCostUsd: null }],
  [" 2.5 ", { maxCostUsd: 2.5 }],
])("resumeBody(%j) is %j", (limit, body) => {
  expect(resumeBody(limit)).toEqual(body);
});

beforeEach(() => {
  vi.stubGlobal("document", new JSDOM(`<p data-api="https://api.example">`).window.document);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

type Reply = { status: number; body?: unknown; again?: string };

const aRun = (id: string, status: Run["status"], again?: string): Reply => ({
  status: 200,
  body: { id, status },
  ...(again !== undefined && { again }),
});

/** Serves a submission with these runs; each run gets its replies in turn, the last one repeatedly. */
function mockReplies(answers: Record<string, Reply[]>) {
  const runs = Object.keys(answers).map((id) => ({ id }));
  const turns = new Map<string, number>();
  vi.stubGlobal("fetch", async (url: string) => {
    const id = url.split("/").at(-1) ?? "";
    const replies = answers[id];
    if (!replies) return new Response(JSON.stringify({ runs }));
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    const { status, body, again } = replies[Math.min(turn, replies.length - 1)] as Reply;
    if (status === 0) throw new TypeError("no network");
    const headers = again === undefined ? {} : { "retry-after": again };
    return new Response(JSON.stringify(body ?? { detail: "no" }), { status, headers });
  });
}

/** Follows without waiting; returns the callbacks and waits. */
async function followed(wanted = new AbortController()) {
  const [states, troubles, waits] = [[] as string[], [] as string[], [] as number[]];
  const runs = await followRuns("sub", {
    signal: wanted.signal,
    onRun: ({ id, status }) => states.push(`${id} ${status}`),
    onTrouble: (text) => troubles.push(text),
    wait: async (seconds) => void waits.push(seconds),
  });
  return { runs: runs.map(({ id }) => id), states, troubles, waits };
}

it("followRuns() polls each run until it has ended, at the API's interval", async () => {
  mockReplies({
    a: [aRun("a", "running", "2"), aRun("a", "running", "7"), aRun("a", "finished")],
    b: [aRun("b", "queued", "5"), aRun("b", "failed")],
  });
  expect(await followed()).toEqual({
    runs: ["a", "b"],
    states: ["a running", "b queued", "a running", "b failed", "a finished"],
    troubles: [],
    waits: [2, 7],
  });
});

it("followRuns() continues after a temporary error", async () => {
  mockReplies({
    a: [{ status: 0 }, { status: 429, again: "4" }, { status: 502 }, aRun("a", "finished")],
  });
  const { troubles, waits } = await followed();
  expect(waits).toEqual([10, 4, 10]);
  expect(troubles).toHaveLength(3);
});

it("followRuns() fails if a run is gone", async () => {
  mockReplies({ a: [aRun("a", "running", "1"), { status: 404 }] });
  await expect(followed()).rejects.toThrow("no");
});

it("followRuns() polls many runs less often", async () => {
  const ids = Array.from({ length: 64 }, (_, i) => `r${i}`);
  mockReplies(
    Object.fromEntries(ids.map((id) => [id, [aRun(id, "running", "1"), aRun(id, "finished")]])),
  );
  expect((await followed()).waits).toEqual([16]);
});

it("followRuns() stops when it is aborted", async () => {
  const wanted = new AbortController();
  mockReplies({ a: [aRun("a", "running", "1")] });
  wanted.abort();
  await expect(followed(wanted)).rejects.toThrow(/abort/i);
});
