import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { sumDueRatings } from "../../../api/ratings/sum-ratings.ts";
import { rescoreRun } from "../../../api/runs/rescore-run.ts";
import type { Rating, RatingTasks } from "../../../shared/contracts/judging/rating.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { RunReport } from "../../../shared/contracts/run-report.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { fakeJudges, judgedHarness, judgedRun, memoryDataset } from "../support/fake-judges.ts";
import { anAccount } from "../support/harness.ts";

/** Gives every answer 4 for empathy. */
const lenient = () =>
  fakeJudges([], ({ metric }) =>
    metric === "empathy"
      ? { output: JSON.stringify({ ...judgments["empathy"]?.judgment, empathy_score: 4 }) }
      : null,
  );

function appOf(platform: Platform) {
  const app = createApp({
    platform: () => ({ ...platform, settings: { ...platform.settings, requireApiKey: true } }),
    account: async (_c, key) =>
      key === "rater" ? { ...anAccount("acme"), scopes: ["rate"] } : anAccount(key),
    site: async () => new Response("the site"),
  });
  return (path: string, { as = "acme", ...init }: RequestInit & { as?: string | null } = {}) => {
    const headers = { ...init.headers, ...(as && { authorization: `Bearer ${as}` }) };
    return app.request(`http://assay.test${path}`, { ...init, headers });
  };
}

async function ratedRun(count = 4) {
  const rig = judgedHarness(lenient());
  const { run } = await judgedRun(rig, {}, undefined, count);
  const call = appOf(rig.platform);
  const path = `/v1/runs/${run}`;
  const tasksOf = async (rater: string, more = "") =>
    (await (
      await call(`${path}/rating-tasks?rater=${rater}&metrics=empathy&limit=20${more}`)
    ).json()) as RatingTasks;
  const send = (body: string, type = "application/json", as: string | null = "acme") =>
    call(`${path}/ratings`, { method: "POST", body, headers: { "content-type": type }, as });
  const post = (ratings: unknown[]) => send(JSON.stringify({ ratings }));
  const shown = async (id = run) => (await (await call(`/v1/runs/${id}`)).json()) as Run;
  return { ...rig, run, call, path, tasksOf, send, post, shown };
}

const ratingsOf = ({ tasks }: RatingTasks, rater: string, score: (i: number) => number): Rating[] =>
  tasks.map(({ sampleId, answerHash }, i) => ({
    sampleId,
    answerHash,
    metric: "empathy",
    score: score(i),
    rater,
  }));

describe("people's ratings of a run", () => {
  it("correct the judge's mean in run, report and board, and can be downloaded and uploaded again", async () => {
    const { platform, deliverAll, run, call, path, tasksOf, post, shown } = await ratedRun(24);
    for (const rater of ["Ada", "Bo"]) {
      const stored = await post(ratingsOf(await tasksOf(rater), rater, (i) => 2 + (i % 3)));
      expect([stored.status, await stored.json()]).toEqual([200, { stored: 20 }]);
    }
    expect((await shown()).people).toBeUndefined();
    await sumDueRatings(platform);
    const { people } = await shown();
    expect(people).toMatchObject({ ratings: 40, raters: 2 });
    const corrected = people?.means["empathy"];
    expect(corrected?.judge).toBe(4);
    expect(corrected?.value).toBeLessThan(3.5);
    expect(corrected?.interval?.[1]).toBeLessThan(4);
    expect(people?.judges.map(({ metric, n }) => [metric, n])).toEqual([
      ["empathy", people?.answers],
    ]);
    const report = (await (await call(`${path}/report`)).json()) as RunReport;
    const section = report.sections.find(({ id }) => id === "ratings");
    expect(section?.blocks[0]?.title).toBe("Means corrected by people");
    expect(report.sections.at(-1)?.id).toBe("recommendations");
    await deliverAll();
    const { boardId } = (await platform.runs.get(run))!;
    const board = boardId === null ? null : await platform.boards.get(boardId);
    const entry = board?.entries.find((one) => one.run === run);
    expect(entry?.people?.["empathy"]).toEqual(corrected);

    const csv = await (await call(`${path}/ratings.csv`)).text();
    expect(csv.split("\r\n")[0]).toBe("sampleId,answerHash,metric,score,rater");
    expect(csv.trimEnd().split("\r\n")).toHaveLength(41);
    const lines = await (await call(`${path}/ratings.jsonl`)).text();
    expect(lines.trimEnd().split("\n")).toHaveLength(40);
    for (const [text, type] of [
      [csv, "text/csv; charset=utf-8"],
      [lines, "application/x-ndjson"],
    ] as const) {
      const again = await call(`${path}/ratings`, {
        method: "POST",
        body: text,
        headers: { "content-type": type },
      });
      expect([again.status, await again.json()]).toEqual([200, { stored: 40 }]);
    }
    expect(await (await call(`${path}/ratings.jsonl`)).text()).toBe(lines);
  });

  it("also apply to rescored runs, and are compared with the judges of those", async () => {
    const { platform, deliverAll, run, tasksOf, post, shown } = await ratedRun(12);
    await post(ratingsOf(await tasksOf("Ada"), "Ada", () => 2));
    const options = { judge: "gemini-3-pro" };
    const rescored = await rescoreRun(platform, anAccount("acme"), run, { options });
    if (!rescored.ok) throw new Error(JSON.stringify(rescored.error));
    await deliverAll();
    await sumDueRatings(platform);
    const submission = await platform.runs.submission(rescored.value);
    const { people } = await shown(submission!.runs[0]!.id);
    expect(people).toMatchObject({ ratings: 12, answers: 12, raters: 1 });
    expect(people?.judges.map(({ judge }) => judge)).toEqual(["gemini-3-pro"]);
  });

  it("are replaced by later ones of the same rater, and deleted with the run", async () => {
    const { platform, run, call, path, tasksOf, post } = await ratedRun();
    const tasks = await tasksOf("Ada");
    await post(ratingsOf(tasks, "Ada", () => 2));
    await post(ratingsOf(tasks, "Ada", () => 5));
    const lines = (await (await call(`${path}/ratings.jsonl`)).text()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).score)).toEqual(Array(4).fill(5));
    await call(path, { method: "DELETE" });
    await platform.cleanup.dropRun(run);
    expect(await platform.ratings.rows(run)).toEqual([]);
  });

  it("are limited to 50,000 per run, also when sent concurrently; a request is stored whole or not at all", async () => {
    const { run, path, call, tasksOf, post } = await ratedRun();
    const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 49995)
      INSERT INTO ratings (run_id, seq, metric, rater, sample_id, answer_hash, score)
      SELECT ?1, 0, 'empathy', 'rater ' || i, '', '', 3 FROM n`;
    await env.DB.prepare(fill).bind(run).run();
    const tasks = await tasksOf("Ada");
    const all = await Promise.all(
      ["Ada", "Bo"].map((rater) => post(ratingsOf(tasks, rater, () => 4))),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409]);
    const lines = (await (await call(`${path}/ratings.jsonl`)).text()).trimEnd().split("\n");
    expect(lines).toHaveLength(49_999);
  });

  it("are refused without a known answer, a metric that people can rate, and a score on its scale", async () => {
    const { tasksOf, post, send, shown, platform } = await ratedRun();
    const [good] = ratingsOf(await tasksOf("Ada"), "Ada", () => 3) as [Rating];
    const refused = await post([
      good,
      { ...good, answerHash: "0".repeat(64) },
      { ...good, sampleId: "nobody" },
      { ...good, metric: "relevance" },
      { ...good, score: 6 },
    ]);
    const { errors } = (await refused.json()) as Problem;
    expect(refused.status).toBe(422);
    expect(errors?.map(({ pointer }) => pointer)).toEqual([1, 2, 3, 4].map((i) => `/ratings/${i}`));
    const csv = `answer,sampleId,answerHash,metric,score,rater\r\nHi.,${good.sampleId},${good.answerHash},empathy,much,Ada\r\n`;
    const unread = await send(csv, "text/csv");
    expect(((await unread.json()) as Problem).errors).toMatchObject([{ line: 2 }]);
    for (const body of ["{", "[]", '{"ratings":[]}']) {
      expect((await send(body)).status).toBe(422);
    }
    await sumDueRatings(platform);
    expect((await shown()).people).toBeUndefined();
  });

  it("are added and read only by the run's owner", async () => {
    const { call, path, tasksOf, send } = await ratedRun();
    const body = JSON.stringify({ ratings: ratingsOf(await tasksOf("Ada"), "Ada", () => 3) });
    expect((await send(body, "application/json", "globex")).status).toBe(403);
    expect((await send(body, "application/json", null)).status).toBe(401);
    for (const file of ["ratings.csv", "ratings.jsonl", "rating-tasks?rater=Ada"]) {
      expect((await call(`${path}/${file}`, { as: "globex" })).status).toBe(403);
      expect((await call(`${path}/${file}`, { as: null })).status).toBe(401);
    }
  });
});

describe("a key that can only rate", () => {
  it("gets answers and adds ratings, but cannot read ratings or change the run", async () => {
    const { call, path, tasksOf, send } = await ratedRun();
    const body = JSON.stringify({ ratings: ratingsOf(await tasksOf("Ada"), "Ada", () => 3) });
    expect((await call(`${path}/rating-tasks?rater=Ada`, { as: "rater" })).status).toBe(200);
    expect((await send(body, "application/json", "rater")).status).toBe(200);
    expect((await call(`${path}/ratings.jsonl`, { as: "rater" })).status).toBe(403);
    for (const action of ["cancel", "retry", "rescore"]) {
      const reply = await call(`${path}/${action}`, { as: "rater", method: "POST" });
      expect([action, reply.status]).toEqual([action, 403]);
    }
  });
});

describe("GET /v1/runs/{id}/rating-tasks", () => {
  it("hides models and judgments, and shows the scale and the sections that judges get", async () => {
    const { tasksOf, call, path } = await ratedRun();
    const text = JSON.stringify(await tasksOf("Ada"));
    expect(text).not.toMatch(/acme|gpt-|claude|gemini/i);
    const { metrics, tasks, progress } = await tasksOf("Ada");
    expect(progress).toEqual({ rated: 0, total: 4 });
    expect(metrics).toMatchObject([
      {
        id: "empathy",
        levels: [[1], [2], [3], [4], [5]].map(([score]) => [score, expect.any(String)]),
      },
    ]);
    expect(tasks).toHaveLength(4);
    expect(tasks[0]?.sections.at(-1)).toMatchObject({ name: "answer" });
    const all = (await (await call(`${path}/rating-tasks?rater=Ada`)).json()) as RatingTasks;
    expect(all.metrics.length).toBeGreaterThan(5);
    expect(all.metrics.map(({ id }) => id)).not.toContain("memory_utilization");
  });

  it("gives all raters the same answers, shuffled for each, and continues where a rater stopped", async () => {
    const { tasksOf, post } = await ratedRun(24);
    const idsOf = async (rater: string) =>
      (await tasksOf(rater)).tasks.map(({ sampleId }) => sampleId);
    const [ada, bo] = [await idsOf("Ada"), await idsOf("Bo")];
    expect(ada).not.toEqual(bo);
    expect(ada.toSorted()).toEqual(bo.toSorted());
    expect(ada).not.toEqual(ada.toSorted());
    const first = await tasksOf("Ada");
    await post(ratingsOf({ ...first, tasks: first.tasks.slice(0, 3) }, "Ada", () => 3));
    expect((await idsOf("Ada")).slice(0, 17)).toEqual(ada.slice(3));
    expect((await tasksOf("Ada")).progress).toEqual({ rated: 3, total: 24 });
    expect(await idsOf("Bo")).toEqual(bo);
  });

  it("refuses samples of a dataset that has become private", async () => {
    const { platform, deliverAll } = judgedHarness(lenient());
    const dataset = await memoryDataset(platform, 3);
    const call = appOf(platform);
    const send = (method: string, path: string, body: object, as: string) => {
      const headers = { "content-type": "application/json" };
      return call(path, { method, as, headers, body: JSON.stringify(body) });
    };
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "M", endpoint }];
    const asked = { suite: "memory", dataset, visibility: "unlisted", models };
    const created = await send("POST", "/v1/submissions", asked, "acme");
    const { runs } = (await created.json()) as { runs: { id: string }[] };
    await deliverAll();
    const path = `/v1/runs/${runs[0]?.id}`;
    const statuses = () =>
      Promise.all(
        ["/rating-tasks?rater=Ada", "/ratings.jsonl", "/ratings.csv"].map(
          async (one) => (await call(`${path}${one}`)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    const closed = { visibility: "private" };
    const change = await send("PATCH", `/v1/datasets/memory/${dataset}`, closed, "local");
    expect(change.status).toBe(200);
    expect(await statuses()).toEqual([403, 403, 403]);
  });
});
