import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { addRatings } from "../../../api/ratings/add-ratings.ts";
import { sumDueRatings } from "../../../api/ratings/sum-ratings.ts";
import { reportView } from "../../../api/runs/report-view.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import type { Answer } from "../../../shared/contracts/answer.ts";
import { answerHash } from "../../../shared/contracts/judging/rating.ts";
import { promptHash } from "../../../shared/judges/judge-prompt.ts";
import { anAnswer, aSample, criteria } from "../../../shared/suites/rubric/__fixtures__/build.ts";
import { rubricOptionsSchema } from "../../../shared/suites/rubric/options.ts";
import { rubric } from "../../../shared/suites/rubric/suite.ts";
import { aDataset, newName } from "../support/a-dataset.ts";
import { fakeJudges, judgedHarness, type Question, storedAnswers } from "../support/fake-judges.ts";
import { anAccount, submitRun } from "../support/harness.ts";

const count = 12;

async function dataset(platform: Platform): Promise<string> {
  const name = newName("rubric");
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    query: `Question ${name} ${i}`,
    tags: { topic: "t" },
  }));
  return aDataset(platform, rubric, rows, { name });
}

const judgment = (score: number): Partial<Answer> => ({
  output: JSON.stringify({ reasoning: "r", evidence: ["Start with a short walk"], score }),
});

/** The grade that the judge gives for each metric. */
const grades: Readonly<Record<string, number>> = { accurate: 1, kind: 4, errors: 2 };

/** Judges of the rubric; while `isBroken`, one criterion's judge fails and another gives a grade off the scale. */
function rubricHarness() {
  const asked: Question[] = [];
  const state = { isBroken: true };
  const judging = fakeJudges(asked, ({ metric, request }) => {
    const isFirst = request?.messages[1]?.content.includes(" 0\n") === true;
    if (state.isBroken && isFirst && metric === "kind") {
      return { error: { class: "server_error", message: "503" } };
    }
    if (state.isBroken && isFirst && metric === "accurate") return judgment(3);
    return judgment(grades[metric] ?? 1);
  });
  const rig = judgedHarness(judging, { suites: { all: [rubric], byId: () => rubric } });
  return { ...rig, asked, state };
}

const own = (more: object = {}) => ({ rubric: { name: "Support", criteria, ...more } });

describe("a run's own rubric", () => {
  it("is judged by criterion; invalid grades are left out, and a retry asks again for failed ones", async () => {
    const { platform, deliverAll, asked, state } = rubricHarness();
    const name = await dataset(platform);
    const id = await submitRun(platform, name, { suite: "rubric", options: own() });
    await deliverAll();
    const broken = (await platform.runs.get(id))!;
    expect(broken).toMatchObject({ status: "finished", done: count });
    expect(broken.judging?.judges["kind"]?.metric).toMatchObject({ label: "Kindness" });
    expect(broken.metrics?.["rubricScore"]).toMatchObject({ n: count - 1 });
    expect(broken.metrics?.["kind"]).toMatchObject({ value: 0.75, n: count - 1 });
    const [first] = await storedAnswers(platform, id);
    expect(first?.judgments?.["kind"]?.[0]?.unjudged?.reason).toBe("judge_failed");
    expect(first?.judgments?.["accurate"]?.[0]?.unjudged).toMatchObject({
      reason: "invalid_judgment",
      message: expect.stringContaining("must be one of 4, 1, 0"),
    });

    state.isBroken = false;
    const before = asked.length;
    const retried = await retryRun(platform, anAccount("acme"), id, {});
    expect(retried.ok).toBe(true);
    await deliverAll();
    expect(asked.slice(before).map(({ metric }) => metric)).toEqual(["accurate", "kind"]);
    const run = (await platform.runs.get(id))!;
    expect(run.metrics?.["rubricScore"]).toMatchObject({ n: count, coverage: 1 });
    expect(run.metrics?.["rubricScore"]?.value).toBeCloseTo((2 * 0.25 + 0.75 + 0.5) / 4);
    const board = (await platform.boards.get(run.boardId!))!;
    expect(Object.keys(board.entries[0]?.metrics ?? {})).toEqual(
      expect.arrayContaining(["rubricScore", "accurate", "kind", "errors"]),
    );
    const report = await reportView(platform, run, null);
    expect(report.suite.metrics[2]).toMatchObject({ id: "kind", label: "Kindness" });
    expect(report.sections.map((section) => section.id)).toContain("criteria");
  });

  it("determines the board; a rescoring with other weights asks no judge", async () => {
    const { platform, deliverAll, asked, state } = rubricHarness();
    state.isBroken = false;
    const name = await dataset(platform);
    const id = await submitRun(platform, name, { suite: "rubric", options: own() });
    await deliverAll();
    const before = asked.length;
    const [accurate, ...others] = criteria;
    const options = own({ criteria: [{ ...accurate, weight: 5 }, ...others] });
    const rescored = await rescoreRun(platform, anAccount("acme"), id, { options });
    if (!rescored.ok) throw new Error(JSON.stringify(rescored.error));
    await deliverAll();
    expect(asked.length).toBe(before);
    const [run] = (await platform.runs.submission(rescored.value))!.runs;
    expect(run?.metrics?.["rubricScore"]?.value).toBeCloseTo((5 * 0.25 + 0.75 + 0.5) / 7);
    const parent = (await platform.runs.get(id))!;
    expect(run?.scoringVersion).not.toBe(parent.scoringVersion);
    expect(run?.countedOn).not.toBe(parent.countedOn);
  });

  it("leaves out submitted judgments of another rubric, with a note", async () => {
    const { platform, deliverAll, asked } = rubricHarness();
    const name = await dataset(platform);
    const judgment = (promptHash: string | null) => ({
      promptHash,
      judgment: { reasoning: "r", evidence: [], score: 1 },
    });
    const { judge } = rubric.judging!.tasks(
      aSample(),
      anAnswer({}),
      rubricOptionsSchema.parse(own()),
    )[0]!;
    const judgments = {
      accurate: judgment(promptHash(judge)),
      kind: judgment(null),
      errors: judgment("of another rubric"),
    };
    const options = { ...own(), judge: "recorded" };
    const judged = async (judgments: object) => {
      const answers = Array.from({ length: count }, (_, i) => ({
        id: `s${i}`,
        output: "Start.",
        judgments,
      }));
      const slug = `acme/${crypto.randomUUID().slice(0, 8)}`;
      const models = [{ name: "Elsewhere", slug, answers }];
      const id = await submitRun(platform, name, { suite: "rubric", models, options });
      await deliverAll();
      return (await platform.runs.get(id))!;
    };
    const run = await judged(judgments);
    expect(asked).toEqual([]);
    expect(run.metrics).toMatchObject({
      accurate: { n: count },
      kind: { n: count },
      errors: { n: 0 },
      rubricScore: { value: null },
    });
    expect(run.notes).toContain(
      "submitted judgments of Errors are left out: they were made by another rubric",
    );
    const odd = await judged({ ...judgments, kind: { judgment: { score: 77 } } });
    expect(odd.notes).toContainEqual(
      expect.stringMatching(
        /^submitted judgments of Kindness are left out: the first is not valid/,
      ),
    );
  });

  it("takes people's ratings on the scale of each criterion", async () => {
    const { platform, deliverAll, state } = rubricHarness();
    state.isBroken = false;
    const name = await dataset(platform);
    const id = await submitRun(platform, name, { suite: "rubric", options: own() });
    await deliverAll();
    const answers = await storedAnswers(platform, id);
    const rate = (score: number) =>
      addRatings(
        platform,
        anAccount("acme"),
        id,
        answers.map((answer, i) => ({
          rating: {
            sampleId: `s${i}`,
            answerHash: answerHash(answer),
            metric: "errors",
            score: i % 2 === 0 ? score : 2,
            rater: "Ada",
          },
          place: {},
        })),
      );
    expect(await rate(5)).toMatchObject({ ok: false });
    expect(await rate(4)).toMatchObject({ ok: true });
    await sumDueRatings(platform);
    const { people } = (await platform.runs.get(id))!;
    // Judges count 2 of 4 errors (0.5); people count 4 and 2 in turn (0 and 0.5).
    expect(people?.means["errors"]).toMatchObject({ judge: 0.5, n: count });
    expect(people?.means["errors"]?.value).toBeCloseTo(0.25);
    expect(people?.judges[0]).toMatchObject({ metric: "errors", agreement: { value: 0.5 } });
  });
});
