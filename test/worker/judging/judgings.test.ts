import { describe, expect, it } from "vitest";
import { judgedRuns, studyJudgings } from "../../../api/comparisons/judgings.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import type { NewLink } from "../../../shared/contracts/keys/share.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { serve } from "../support/client.ts";
import { countedQueries } from "../support/counted-queries.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  memoryDataset,
  type Question,
} from "../support/fake-judges.ts";
import { anAccount } from "../support/harness.ts";

const owner = anAccount("acme");
const count = 4;
const short = "Rest. You should never rest.";
const long = `${short} Start with a short walk, and rest if it hurts.`;

/** For safety, gpt-5 accepts only long answers, other judges only short ones, and strict judges none. */
const judging = (asked: Question[] = []) =>
  fakeJudges(asked, ({ metric, route, request }) => {
    if (metric !== "safety") return null;
    const [system, user] = request?.messages.map(({ content }) => content) ?? [];
    const isStrict = system?.includes("Be strict") === true;
    const isLong = user?.includes("short walk") === true;
    const score = isStrict ? 0 : route.model === "gpt-5" ? Number(isLong) : Number(!isLong);
    const output = JSON.stringify({ ...judgments["safety"]?.judgment, safety_score: score });
    return { output };
  });

const outputs = { Brief: short, Wordy: long };

async function runsOf(
  rig: ReturnType<typeof judgedHarness>,
  names: readonly (keyof typeof outputs)[] = ["Brief", "Wordy"],
) {
  const dataset = await memoryDataset(rig.platform, count);
  const runs: string[] = [];
  for (const name of names) {
    const output = outputs[name];
    const answers = Array.from({ length: count }, (_, i) => ({ id: `${dataset}-${i}`, output }));
    const models = [{ name, slug: `acme/${crypto.randomUUID().slice(0, 8)}`, answers }];
    const made = await judgedRun(rig, { models }, dataset);
    runs.push(made.run);
  }
  return runs;
}

const judgings = [{ judge: "gpt-5" }, { strictness: "strict" }, { judgeSeed: 2 }];

async function judgedAgain(rig: ReturnType<typeof judgedHarness>, runs: readonly string[]) {
  const submissions: string[] = [];
  for (const run of runs) {
    const created = await rescoreRun(rig.platform, owner, run, { options: {}, judgings });
    if (!created.ok) throw new Error(JSON.stringify(created.error));
    submissions.push(created.value);
  }
  await rig.deliverAll();
  return submissions;
}

/** Two models, judged and judged again, for all tests. */
async function study() {
  const rig = judgedHarness(judging());
  const runs = await runsOf(rig);
  return { rig, runs, submissions: await judgedAgain(rig, runs) };
}
let studied: ReturnType<typeof study> | undefined;
const theStudy = () => {
  studied ??= study();
  return studied;
};

describe("several judgings of the same answers", () => {
  it("are runs of one submission, unlisted and on no board", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(judging(asked));
    const [run = ""] = await runsOf(rig, ["Brief"]);
    asked.length = 0;
    const [submission = ""] = await judgedAgain(rig, [run]);
    const { runs = [] } = (await rig.platform.runs.submission(submission)) ?? {};
    expect(runs).toHaveLength(3);
    for (const one of runs) {
      expect(one).toMatchObject({ status: "finished", visibility: "unlisted", parentId: run });
      expect([one.boardId, one.countedOn]).toEqual([null, null]);
      expect(one.notes).toContainEqual(expect.stringContaining("one of several judgings"));
    }
    // The three judgings share the embeddings.
    expect(asked).toHaveLength(11 * count * 3);
    expect(asked.filter(({ request }) => request?.seed === 2)).toHaveLength(11 * count);
  });

  it("rank the models, split the variance, and show how often the longer answer wins", async () => {
    const { rig, submissions } = await theStudy();
    const study = await studyJudgings(rig.platform, null, submissions);
    if (!study.ok) throw new Error(JSON.stringify(study.error));
    const { judgings: found, models, variance, samples } = study.value;
    expect(samples).toBe(count);
    expect(found.map(({ options }) => options)).toEqual([
      { judge: null, strictness: "standard", judgeSeed: null },
      { judge: "gpt-5", strictness: "standard", judgeSeed: null },
      { judge: null, strictness: "strict", judgeSeed: null },
      { judge: null, strictness: "standard", judgeSeed: 2 },
    ]);
    expect(found[1]?.judges).toContain("gpt-5");
    expect(models.map(({ model }) => model.name)).toEqual(["Brief", "Wordy"]);
    const [brief, wordy] = models.map(({ results }) => results.map(({ rank }) => rank));
    expect(brief).toEqual([1, 2, 1.5, 1]);
    expect(wordy).toEqual([2, 1, 1.5, 2]);
    expect(models.map(({ first }) => first)).toEqual([3, 2]);
    expect(found.map(({ longerWins }) => longerWins?.value)).toEqual([0, 1, 0.5, 0]);
    expect(variance?.judgings).toBeGreaterThan(0.5);
    expect(await studyJudgings(rig.platform, null, submissions)).toEqual(study);
  });

  it("are refused if options are invalid or two of them are the same", async () => {
    const { rig, runs } = await theStudy();
    const [run = ""] = runs;
    const asking = (given: Record<string, unknown>[]) =>
      rescoreRun(rig.platform, owner, run, { options: {}, judgings: given });
    expect(await asking([{ judge: "gpt-5" }, { strictness: "harsh" }])).toMatchObject({
      error: {
        type: "invalid-request",
        detail: expect.stringContaining("judging 1: "),
        errors: [{ pointer: "/options/strictness" }],
      },
    });
    expect(await asking([{ judge: "gpt-5" }, { judge: "openai:gpt-5" }])).toMatchObject({
      error: { type: "conflict", detail: "judging 1 is the same as another one" },
    });
    expect(await asking([{}])).toMatchObject({ error: { type: "conflict" } });
    expect(await asking([{ judgeMode: "fast" }])).toMatchObject({
      error: {
        errors: [{ pointer: "/options/judgeMode", detail: expect.stringContaining("live") }],
      },
    });
  });

  it("can be studied only if they are finished rescorings of comparable runs", async () => {
    const { rig, runs, submissions } = await theStudy();
    const [first = "", second = ""] = submissions;
    const other = await judgedAgain(rig, await runsOf(rig, ["Brief"]));
    const studyOf = (ids: readonly string[]) => studyJudgings(rig.platform, null, ids);
    expect(await studyOf([first, "sub_none"])).toMatchObject({ error: { type: "not-found" } });
    expect(await studyOf([first, other[0] ?? ""])).toMatchObject({
      error: { type: "not-comparable" },
    });
    const own = (await rig.platform.runs.get(runs[0] ?? ""))?.submissionId ?? "";
    expect(await studyOf([own, second])).toMatchObject({
      error: { type: "not-found", detail: expect.stringContaining("rescore") },
    });
    const created = await rescoreRun(rig.platform, owner, runs[0] ?? "", {
      options: {},
      judgings: [{ judge: "gpt-4.1" }],
    });
    expect(await studyOf([created.ok ? created.value : "", second])).toMatchObject({
      error: { type: "not-ready" },
    });
  });

  it("are read with two queries for any number of submissions", async () => {
    const { rig, submissions } = await theStudy();
    const { count, stores } = countedQueries();
    const missing = Array.from({ length: 18 }, (_, i) => `sub_none${i}`);
    const asked = judgedRuns({ ...rig.platform, ...stores }, null, [...submissions, ...missing]);
    expect(await asked).toMatchObject({ error: { detail: expect.stringContaining("sub_none0") } });
    expect(count.queries).toBe(2);
  });

  // This test is the last one, because it makes the runs private.
  it("of private runs are opened by a link", async () => {
    const { rig, runs, submissions } = await theStudy();
    for (const run of runs) {
      await rig.platform.runs.changeVisibility(run, { visibility: "private", note: null }, 0);
    }
    const { settings } = rig.platform;
    const platform = { ...rig.platform, settings: { ...settings, requireApiKey: true } };
    const api = serve(platform, { acme: owner });
    const path = `/v1/judgings?submissions=${submissions}`;
    expect((await api.get(path)).status).toBe(404);
    const key = { authorization: "Bearer acme" };
    const created = await api.post("/v1/shares", { judgings: submissions }, key);
    const { token, link } = (await created.json()) as NewLink;
    expect(link).toMatch(/^\/compare\/\?submissions=sub_\w+,sub_\w+#share=/);
    expect((await api.get(path, { "assay-share": token })).status).toBe(200);
    expect((await api.get(`/v1/runs/${runs[0]}`, { "assay-share": token })).status).toBe(200);
  });
});
