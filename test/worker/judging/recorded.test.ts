import { describe, expect, it } from "vitest";
import { promptHashOf } from "../../../api/boards/board-identity.ts";
import { answersJsonl } from "../../../api/exports/sample-routes.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { submit } from "../../../api/submissions/service.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import type { SubmittedAnswer } from "../../../shared/contracts/submissions/submitted-answer.ts";
import { perfect, recorded } from "../../../shared/suites/memory/__fixtures__/build.ts";
import { memory } from "../../../shared/suites/memory/suite.ts";
import { jsonLines } from "../../support/json-lines.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  memoryDataset,
  type Question,
  storedAnswers,
} from "../support/fake-judges.ts";
import { anAccount } from "../support/harness.ts";

const count = 3;
const owner = anAccount("acme");
const output = "Start with a short walk, and rest if it hurts. You should never rest.";

/** The suite's prompt; answers without its hash are on no board. */
const promptHash = promptHashOf(memory, memory.optionsSchema.parse({}));

/** Judges that must not be asked. */
const nobody = fakeJudges([], ({ metric }) => expect.unreachable(`${metric} was asked`), {
  embed: async () => expect.unreachable("embeddings were asked"),
});

interface Given {
  answers: readonly unknown[];
  options?: Record<string, unknown>;
  isAdmin?: boolean;
}

async function submitted(
  rig: ReturnType<typeof judgedHarness>,
  dataset: string,
  { answers, options = {}, isAdmin = false }: Given,
) {
  const request = submissionRequestSchema.parse({
    suite: "memory",
    dataset,
    models: [
      { name: "Elsewhere", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, answers, promptHash },
    ],
    options,
  });
  const by = { owner: "acme", anyOwner: isAdmin, quota: null };
  const made = await submit(rig.platform, request, by);
  if (!made.ok) return { error: made.error };
  await rig.deliverAll();
  const [run] = (await rig.platform.runs.submission(made.value))?.runs ?? [];
  return { run: (await rig.platform.runs.get(run?.id ?? "")) ?? expect.unreachable("no run") };
}

const named = (judge: string, judgments: Readonly<Record<string, unknown>> = recorded) =>
  Object.fromEntries(
    Object.entries(judgments).map(([metric, judgment]) => [
      metric,
      { judge, promptHash: "p1", isSimulated: true, judgment },
    ]),
  );

const answersTo = (dataset: string, judgments: unknown) =>
  Array.from({ length: count }, (_, i) => ({ id: `${dataset}-${i}`, output, judgments }));

const recordsOf = async (platform: Platform, run: string) =>
  (await storedAnswers(platform, run)).flatMap(({ judgments = {} }) =>
    Object.values(judgments).flat(),
  );

/** The rows of an export with judgments. */
async function exported(platform: Platform, run: string): Promise<SubmittedAnswer[]> {
  const body = answersJsonl(platform, { id: run }, memory, { isJudged: true });
  return jsonLines(await new Response(body).text());
}

/** Another deployment, without the judgments stored so far. */
function elsewhere(asked: Question[]) {
  const { objects } = judgedHarness(nobody).platform;
  const kept = new Map<string, never>();
  const get: typeof objects.get = async (key) =>
    key.includes("/judgments/") ? (kept.get(key) ?? null) : objects.get(key);
  const update: typeof objects.update = async (key, change) =>
    void kept.set(key, change(kept.get(key) ?? null) as never);
  return judgedHarness(fakeJudges(asked), { objects: { ...objects, get, update } });
}

describe('the judge "recorded"', () => {
  it("uses the judgments submitted with the answers and asks no judge", async () => {
    const rig = judgedHarness(nobody);
    const dataset = await memoryDataset(rig.platform, count, { emotion: {}, personality: null });
    const answers = answersTo(dataset, named("judge-x", perfect));
    const { run } = await submitted(rig, dataset, { answers, options: { judge: "recorded" } });
    expect(run).toMatchObject({ status: "finished", done: count, failedJudgments: 0 });
    expect(run?.metrics?.["mcs"]).toMatchObject({ value: 1, coverage: 1 });
    expect(run?.judging?.judges["empathy"]).toEqual({
      routes: [{ provider: "recorded", model: "judge-x", simulated: true }],
      by: "run",
      promptHash: "p1",
    });
    expect(run?.notes).toContainEqual(expect.stringContaining("did not ask their judges"));
    expect(run?.metrics?.["judgeRequests"]?.value).toBeNull();
    for (const record of await recordsOf(rig.platform, run?.id ?? "")) {
      expect(record).toMatchObject({ provider: "recorded", judge: "judge-x", isCached: false });
    }
  });

  it("ranks on a board per recorded judge, apart from the board of the service's judges", async () => {
    const rig = judgedHarness(fakeJudges());
    const dataset = await memoryDataset(rig.platform, count);
    const options = { judge: "recorded" };
    const boardOf = async (given: Given) => (await submitted(rig, dataset, given)).run?.countedOn;
    const one = await boardOf({ answers: answersTo(dataset, named("x")), options });
    const same = await boardOf({ answers: answersTo(dataset, named("x", perfect)), options });
    const other = await boardOf({ answers: answersTo(dataset, named("y")), options });
    const own = await boardOf({ answers: answersTo(dataset, undefined) });
    expect(one).toBe(same);
    expect(new Set([one, other, own]).size).toBe(3);
  });

  it("leaves metrics without a judgment unjudged, and refuses a retry", async () => {
    const rig = judgedHarness(nobody);
    const dataset = await memoryDataset(rig.platform, count);
    const { empathy: _, ...others } = named("x");
    const [first, ...rest] = answersTo(dataset, others);
    const answers = [{ ...first, judgments: named("x") }, ...rest];
    const { run } = await submitted(rig, dataset, { answers, options: { judge: "recorded" } });
    expect(run).toMatchObject({ status: "finished", failedJudgments: 0 });
    expect(run?.metrics?.["empathy"]).toMatchObject({ n: 1 });
    const again = await retryRun(rig.platform, owner, run?.id ?? "", {});
    expect(again.ok).toBe(false);
  });

  it("can be combined with a judge of the service for one metric, whose submitted judgments are ignored", async () => {
    const first = judgedHarness(fakeJudges());
    const options = { judge: "gpt-5" };
    const { run: id, dataset } = await judgedRun(first, { options }, undefined, count);
    const answers = await exported(first.platform, id);
    const asked: Question[] = [];
    const mixed = { judge: "recorded", judgeOverrides: { empathy: "gpt-5" } };
    const { run } = await submitted(elsewhere(asked), dataset, { answers, options: mixed });
    expect(asked.map(({ metric }) => metric)).toEqual(Array(count).fill("empathy"));
    expect(run?.judging?.judges["empathy"]?.routes).toMatchObject([{ provider: "openai" }]);
    expect(run?.judging?.judges["safety"]?.routes).toMatchObject([{ provider: "recorded" }]);
  });

  it("is refused without judgments, or without one that the score needs", async () => {
    const rig = judgedHarness(nobody);
    const dataset = await memoryDataset(rig.platform, count);
    const options = { judge: "recorded" };
    const none = await submitted(rig, dataset, { answers: answersTo(dataset, undefined), options });
    expect(none.error).toMatchObject({ errors: [{ pointer: "/options/judge" }] });
    const { safety: _, ...others } = recorded;
    const some = await submitted(rig, dataset, { answers: answersTo(dataset, others), options });
    expect(some.error).toMatchObject({
      errors: [{ detail: expect.stringContaining("judgments of safety") }],
    });
    const odd = answersTo(dataset, { ...recorded, empathy: 4 });
    expect((await submitted(rig, dataset, { answers: odd, options })).error).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ pointer: "/models/0/answers/0/judgments/empathy" }),
      ]),
    });
  });

  it("stays when a rescoring changes the panel rule, and is replaced when it names a judge", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked));
    const dataset = await memoryDataset(rig.platform, count);
    const answers = answersTo(dataset, named("x", perfect));
    const { run } = await submitted(rig, dataset, { answers, options: { judge: "recorded" } });
    const rescored = async (options: Record<string, Json>) => {
      const created = await rescoreRun(rig.platform, owner, run?.id ?? "", { options });
      if (!created.ok) throw new Error(JSON.stringify(created.error));
      await rig.deliverAll();
      return (await rig.platform.runs.submission(created.value))?.runs[0];
    };
    const weighted = await rescored({ panelRule: "majority" });
    expect(asked).toEqual([]);
    expect(weighted?.metrics?.["mcs"]).toMatchObject({ value: 1, coverage: 1 });
    const other = await rescored({ judge: "gpt-5" });
    expect(asked).toHaveLength(12 * count);
    expect(other?.metrics?.["mcs"]?.value).toBeLessThan(1);
  });
});

describe("submitted judgments of the service's own judges", () => {
  it("are refused from an account that is not an admin", async () => {
    const rig = judgedHarness(fakeJudges());
    const dataset = await memoryDataset(rig.platform, count);
    const answers = answersTo(dataset, named("x"));
    expect((await submitted(rig, dataset, { answers })).error).toMatchObject({
      errors: expect.arrayContaining([
        {
          pointer: "/models/0/answers/0/judgments",
          detail: expect.stringContaining('options.judge to "recorded"'),
        },
      ]),
    });
  });

  it("from an admin are reused, now and later, if judge, prompt and inputs are the same", async () => {
    const first = judgedHarness(fakeJudges());
    const { run, dataset } = await judgedRun(first, {}, undefined, count);
    const rows = await exported(first.platform, run);
    const asked: Question[] = [];
    const rig = elsewhere(asked);
    const [changed, ...others] = rows;
    const answers = [{ ...changed, output: `${changed?.output} Or not.` }, ...others];
    const made = await submitted(rig, dataset, { answers, isAdmin: true });
    expect(asked).toHaveLength(12);
    const before = await first.platform.runs.get(run);
    expect(made.run?.scoringVersion).toBe(before?.scoringVersion);
    expect(made.run?.metrics?.["judgeRequests"]?.value).toBe(12);
    expect(made.run?.metrics?.["judgeCachedRate"]?.value).toBeCloseTo((count - 1) / count);
    expect(made.run?.notes).toContainEqual(expect.stringContaining("judge, prompt and inputs"));
    asked.length = 0;
    const bare = answers.map(({ judgments: _, stages: __, ...row }) => row);
    await submitted(rig, dataset, { answers: bare });
    expect(asked).toEqual([]);
  });

  it("are ignored if they lack the fields of their metric", async () => {
    const first = judgedHarness(fakeJudges());
    const options = { judge: "gpt-5" };
    const { run, dataset } = await judgedRun(first, { options }, undefined, count);
    const answers = (await exported(first.platform, run)).map((row) => {
      const judgments = row.judgments as Record<string, { key: string }[]>;
      const [record] = judgments["empathy"] ?? [];
      return { ...row, judgments: { ...judgments, empathy: [{ ...record, judgment: {} }] } };
    });
    const asked: Question[] = [];
    const made = await submitted(elsewhere(asked), dataset, { answers, options, isAdmin: true });
    expect(asked.map(({ metric }) => metric)).toEqual(Array(count).fill("empathy"));
    expect(made.run?.metrics?.["empathy"]).toMatchObject({ n: count, coverage: 1 });
  });
});

it("repeats of a sample with the same answer are judged once, even concurrently", async () => {
  const asked: Question[] = [];
  const judging = fakeJudges(asked);
  const slowly: typeof judging.ask = async (...args) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return judging.ask(...args);
  };
  const rig = judgedHarness({ ...judging, ask: slowly });
  const { run } = await judgedRun(rig, { options: { repeats: 4 } }, undefined, 2);
  expect(await rig.platform.runs.get(run)).toMatchObject({ status: "finished", done: 8 });
  expect(asked).toHaveLength(12 * 2);
});
