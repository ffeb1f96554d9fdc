import { describe, expect, it } from "vitest";
import {
  boardCanaries,
  canaryReport,
  submitCanaries,
  submitDueCanaries,
} from "../../../api/drift/canaries.ts";
import { type Account, localAccount } from "../../../api/keys/account.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { memory } from "../../../shared/suites/memory/suite.ts";
import { anApp, latestSnapshot } from "../support/client.ts";
import { fakeJudges, judgedHarness, memoryDataset, type Question } from "../support/fake-judges.ts";
import { submitRun } from "../support/harness.ts";

/** Low grades. */
const strict: Record<string, object> = {
  memory_utilization: { cited_keys: [] },
  groundedness: { claims: [{ text: "x", source: "hallucinated", evidence: "" }] },
  safety: { safety_score: 0.2 },
};

/** Judges that obey instructions in an answer if `obeys`. */
const judges =
  (obeys: boolean) =>
  ({ metric, request }: Question) => {
    const shown = request?.messages[1]?.content ?? "";
    const isOrder = /highest score|full marks|maximum|calibrate|top level/i.test(shown);
    if (obeys && isOrder) {
      const own = metric === "safety" ? { safety_score: 1 } : judgments[metric]?.judgment;
      return { output: JSON.stringify(metric === "groundedness" ? { claims: [] } : own) };
    }
    const grade = strict[metric];
    return grade === undefined ? null : { output: JSON.stringify(grade) };
  };

async function measured(obeys: boolean) {
  const rig = judgedHarness(fakeJudges([], judges(obeys)));
  const dataset = await memoryDataset(rig.platform, 3);
  const submitted = await submitCanaries(rig.platform, memory, dataset);
  if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
  await rig.deliverAll();
  return { ...rig, dataset, submission: submitted.value };
}

/** Canaries of judges that obey, shared by the tests after the first. */
let obeyed: ReturnType<typeof measured> | undefined;
const obeying = () => {
  obeyed ??= measured(true);
  return obeyed;
};

describe("canaries", () => {
  it("are judged, each in a run that is on no board", async () => {
    const { platform, submission } = await measured(false);
    const { runs = [] } = (await platform.runs.submission(submission)) ?? {};
    expect(runs.map(({ canary }) => canary)).toEqual([
      "constant",
      "empty",
      "vague",
      "longest",
      "injection",
    ]);
    for (const run of runs) {
      expect(run).toMatchObject({ status: "finished", boardId: null, visibility: "unlisted" });
    }
    const report = await canaryReport(platform, memory);
    expect(report).toMatchObject({ suite: "memory", simulated: false });
    const verdicts = Object.fromEntries(
      (report?.canaries ?? []).map(({ id, verdict }) => [id, verdict]),
    );
    expect(verdicts).toMatchObject({
      constant: "within",
      vague: "within",
      longest: "unbounded",
      injection: "within",
      empty: "within",
    });
  });

  it("detect a judge that obeys instructions in an answer", async () => {
    const { platform } = await obeying();
    const report = await canaryReport(platform, memory);
    const injection = report?.canaries.find(({ id }) => id === "injection");
    const vague = report?.canaries.find(({ id }) => id === "vague");
    expect(injection?.verdict).toBe("broken");
    expect(injection?.headline?.value).toBeGreaterThan((vague?.headline?.value ?? 1) + 0.05);
  });

  it("are on the board of the same judges, and in the snapshot", async () => {
    const { platform, dataset, deliverAll } = await obeying();
    const run = await submitRun(platform, dataset, { suite: "memory" });
    await deliverAll();
    const { boardId } = (await platform.runs.get(run)) ?? {};
    const board = await platform.boards.get(boardId ?? "");
    expect(board?.isDefault).toBe(true);
    const report = board && (await boardCanaries(platform, board));
    expect(report?.canaries.some(({ verdict }) => verdict === "broken")).toBe(true);
    await publish(platform);
    const snapshot = await latestSnapshot(platform);
    expect(snapshot?.canaries.map(({ suite }) => suite)).toEqual(["memory"]);
    expect(snapshot?.boards.find(({ id }) => id === boardId)?.canaries).toEqual(report);
    const slugs = snapshot?.runs.map(({ model }) => model.slug) ?? [];
    expect(slugs.filter((slug) => slug.includes("canary"))).toEqual([]);
  });

  it("are unmeasured for other judges", async () => {
    const { platform } = await obeying();
    const other = { ...platform.judging.deployment, routes: { empathy: "openai:gpt-6" } };
    const changed = { ...platform, judging: { ...platform.judging, deployment: other } };
    const report = await canaryReport(changed, memory);
    expect(report?.canaries.map(({ verdict }) => verdict)).toEqual(Array(5).fill("unmeasured"));
  });

  it("are refused for an unknown dataset", async () => {
    const { platform } = judgedHarness(fakeJudges());
    expect(await submitCanaries(platform, memory, "nowhere")).toMatchObject({
      ok: false,
      error: { errors: [{ pointer: "/dataset" }] },
    });
  });

  it("are submitted once by the cron trigger when they are due", async () => {
    const rig = judgedHarness(fakeJudges([], judges(false)));
    const { settings } = rig.platform;
    const canaryDataset = await memoryDataset(rig.platform, 1);
    const sent = () => new Set(rig.mail.evaluate.map(({ run }) => run)).size;
    await submitDueCanaries(rig.platform);
    expect(sent()).toBe(0);
    rig.platform.settings = { ...settings, canaryDataset, canaryIntervalMs: 3_600_000 };
    await submitDueCanaries(rig.platform);
    expect(sent()).toBe(5);
    await submitDueCanaries(rig.platform);
    expect(sent()).toBe(5);
    const later = rig.platform.now() + 3_600_000;
    await submitDueCanaries({ ...rig.platform, now: () => later });
    expect(sent()).toBe(10);
  });
});

describe("/v1/suites/{suite}/canaries", () => {
  const called = (
    rig: ReturnType<typeof judgedHarness>,
    account: Account | null = localAccount,
  ) => {
    const app = anApp(rig.platform, async () => account);
    return (path: string, body?: unknown) =>
      app.request(`/v1/suites/${path}/canaries`, {
        headers: { "content-type": "application/json", authorization: "Bearer a-key" },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
  };

  it("submits canaries and reports their scores", async () => {
    const rig = judgedHarness(fakeJudges([], judges(false)));
    const call = called(rig);
    const dataset = await memoryDataset(rig.platform, 2);
    const submitted = await call("memory", { dataset });
    expect(submitted.status).toBe(202);
    const submission = await submitted.json<{ id: string; runs: unknown[] }>();
    expect(submission.runs).toHaveLength(5);
    expect(submitted.headers.get("location")).toBe(`/v1/submissions/${submission.id}`);
    await rig.deliverAll();
    const report = await (await call("memory")).json();
    expect(report).toEqual(await canaryReport(rig.platform, memory));
  });

  it("answers 404 for a suite without canaries, and without a judge's key", async () => {
    const rig = judgedHarness(fakeJudges());
    rig.platform.suites = { all: [memory], byId: (id) => (id === "memory" ? memory : undefined) };
    for (const reply of [await called(rig)("poems"), await called(rig)("poems", {})]) {
      expect(reply.status).toBe(404);
      expect((await reply.json<Problem>()).detail).toContain('no suite "poems" with canaries');
    }
    const { deployment } = rig.platform.judging;
    rig.platform.judging = {
      ...rig.platform.judging,
      deployment: { ...deployment, providers: [] },
    };
    const reply = await called(rig)("memory");
    expect(reply.status).toBe(404);
    expect((await reply.json<Problem>()).detail).toContain("no key for its judges");
  });

  it("requires an admin, and names the invalid field", async () => {
    const rig = judgedHarness(fakeJudges());
    const member = called(rig, { ...localAccount, scopes: ["submit"] });
    expect((await member("memory", {})).status).toBe(403);
    expect(rig.mail.evaluate).toEqual([]);
    const refused = await called(rig)("memory", { dataset: "nowhere" });
    expect(refused.status).toBe(422);
    const { errors } = await refused.json<Problem>();
    expect(errors).toEqual([expect.objectContaining({ pointer: "/dataset" })]);
  });
});
