import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Run } from "#shared/contracts/run.ts";
import { followReport } from "./follow-report.ts";

beforeEach(() => {
  vi.stubGlobal("document", new JSDOM(`<p data-api="https://api.example">`).window.document);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

type Reply = { status: number; body?: unknown; again?: string };

const aReport = (status: Run["status"], done = 0, again?: string): Reply => ({
  status: 200,
  body: { run: { status, progress: { done } } },
  ...(again !== undefined && { again }),
});
const noNetwork: Reply = { status: 0 };
const unknown: Reply = { status: 404, body: { detail: `there is no run "run_a"` } };

/** Follows a report that gets these replies in turn, without waiting; returns its callbacks and waits. */
async function followed(...answers: Reply[]) {
  vi.stubGlobal("fetch", async () => {
    const { status, body, again } = answers.shift() as Reply;
    if (status === 0) throw new TypeError("no network");
    const headers = again === undefined ? {} : { "retry-after": again };
    return new Response(JSON.stringify(body ?? { detail: "no" }), { status, headers });
  });
  const [shown, troubles, waits] = [[] as string[], [] as (string | null)[], [] as number[]];
  const failure = await followReport("run_a", {
    onReport: ({ run }) => shown.push(`${run.status} ${run.progress.done}`),
    onTrouble: (text) => troubles.push(text),
    wait: async (seconds) => void waits.push(seconds),
  }).then(
    () => null,
    (error: Error) => error.message,
  );
  return { shown, troubles: troubles.filter((text) => text !== null), waits, failure };
}

it("followReport() shows a run until it has ended, and only when it has changed", async () => {
  const answers = [aReport("running", 1, "2"), aReport("running", 1), aReport("finished", 9)];
  expect(await followed(...answers)).toEqual({
    shown: ["running 1", "finished 9"],
    troubles: [],
    waits: [2, 3],
    failure: null,
  });
});

it("followReport() continues after an error and keeps what is shown", async () => {
  const busy = { status: 429, body: { detail: "too much" }, again: "7" };
  const found = await followed(busy, aReport("running"), noNetwork, aReport("failed"));
  expect(found).toEqual({
    shown: ["running 0", "failed 0"],
    failure: null,
    waits: [7, 3, 10],
    troubles: ["too much", "the API at https://api.example could not be reached"],
  });
});

it("followReport() fails if the run can't be read at first, or is gone", async () => {
  expect((await followed(noNetwork)).failure).toMatch("could not be reached");
  expect((await followed(unknown)).failure).toBe(`there is no run "run_a"`);
  const gone = await followed(aReport("running"), unknown);
  expect(gone).toMatchObject({ shown: ["running 0"], failure: `there is no run "run_a"` });
});
