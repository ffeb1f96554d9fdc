import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { answering, deliver, harness, relayDataset } from "../support/harness.ts";

/** A request has ten input and five output tokens, so it costs 0.02 USD. */
const prices = { inputPerMillion: 1000, outputPerMillion: 2000 };

/** A run of 60 samples with a cost limit. */
async function setUp(maxCostUsd: number, overrides: Partial<Platform> = {}) {
  const { platform, deliverAll } = harness(overrides);
  const { get, post, run } = serve(platform);
  const options = { maxCostUsd, concurrency: 5 };
  const body = aSubmission(await relayDataset(platform, 60), { options }, { prices });
  const submission = (await (await post("/v1/submissions", body)).json()) as Submission;
  const id = submission.runs[0]?.id ?? "";
  await deliverAll();
  const resume = (change?: object) => post(`/v1/runs/${id}/resume`, change);
  return { platform, deliverAll, get, resume, post, id, run: () => run(id) };
}

describe("options.maxCostUsd", () => {
  it("pauses the run near the limit, with the reason", async () => {
    const { run } = await setUp(0.5);
    const paused = await run();
    expect(paused).toMatchObject({ status: "paused", statusReason: "maxCostUsd is reached" });
    expect(paused.cost?.maxUsd).toBe(0.5);
    expect(paused.cost?.spentUsd).toBeGreaterThanOrEqual(0.5);
    expect(paused.progress.done).toBeLessThan(60);
    expect(paused.cost?.spentUsd).toBeCloseTo(paused.progress.done * 0.02);
  });

  it.each([[5], [20]])(
    "is exceeded by at most the cost of concurrent samples: %i",
    async (concurrency) => {
      const { platform, mail } = harness();
      const { post, run } = serve(platform);
      const options = { maxCostUsd: 0.5, concurrency };
      const body = aSubmission(await relayDataset(platform, 200), { options }, { prices });
      const submission = (await (await post("/v1/submissions", body)).json()) as Submission;
      while (mail.evaluate.length > 0) {
        const lanes = mail.evaluate.splice(0);
        await Promise.all(lanes.map((lane) => deliver(platform, "evaluate", lane)));
      }
      const paused = await run(submission.runs[0]?.id ?? "");
      expect(paused.status).toBe("paused");
      expect(paused.cost?.spentUsd).toBeGreaterThanOrEqual(0.5);
      expect(paused.cost?.spentUsd).toBeLessThan(0.5 + concurrency * 0.02 + 1e-9);
    },
  );

  it("keeps a slot occupied until its answer is committed", async () => {
    let underWay = 0;
    let most = 0;
    const { platform, mail } = harness({
      ask: async (...request) => {
        const [, { messages }] = request;
        if (messages[0]?.content.startsWith("word")) underWay += 1;
        most = Math.max(most, underWay);
        return answering(() => ({}))(...request);
      },
    });
    const { commit } = platform.runs;
    platform.runs.commit = async (wanted) => {
      const result = await commit(wanted);
      underWay -= wanted.rows.length;
      return result;
    };
    const options = { maxCostUsd: 100, concurrency: 5 };
    const body = aSubmission(await relayDataset(platform, 40), { options }, { prices });
    await serve(platform).post("/v1/submissions", body);
    while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
    expect(most).toBe(5);
  });

  it("includes tokens of samples that failed after a first reply", async () => {
    const error = { class: "timeout" as const, message: "late" };
    const ask = answering(({ messages }) =>
      messages[0]?.content.startsWith("again") ? { error } : {},
    );
    const { platform, mail } = harness({ ask });
    const { post, run } = serve(platform);
    const body = aSubmission(await relayDataset(platform, 3), {}, { prices });
    const { runs } = (await (await post("/v1/submissions", body)).json()) as Submission;
    while (mail.evaluate.length > 0) await deliver(platform, "evaluate", mail.evaluate.shift());
    const counted = (await run(runs[0]?.id ?? "")).cost?.spentUsd;
    await platform.runs.recount(runs[0]?.id ?? "");
    expect((await run(runs[0]?.id ?? "")).cost?.spentUsd).toBe(counted);
    expect(counted).toBeCloseTo(0.06);
  });

  it("is named with the spending when a run is resumed without a higher limit", async () => {
    const { run, resume } = await setUp(0.5);
    const spent = (await run()).cost?.spentUsd;
    for (const change of [undefined, {}, { maxCostUsd: 0.1 }]) {
      const response = await resume(change);
      expect(response.status).toBe(409);
      const { detail } = await problemOf(response);
      expect(detail).toContain(
        `has spent ${spent} USD of its limit of ${change?.maxCostUsd ?? 0.5}`,
      );
    }
    expect((await run()).status).toBe("paused");
  });

  it.each([
    ["raised", { maxCostUsd: 5 }, 5],
    ["removed", { maxCostUsd: null }, null],
  ])("can be %s, and the run continues to its end", async (_case, change, maxUsd) => {
    const { run, resume, deliverAll } = await setUp(0.5);
    const response = await resume(change);
    expect(response.status).toBe(200);
    await deliverAll();
    expect(await run()).toMatchObject({
      status: "finished",
      progress: { done: 60 },
      cost: { spentUsd: 1.2, maxUsd },
    });
  });

  it("pauses the run again at the new limit", async () => {
    const { run, resume, deliverAll } = await setUp(0.3);
    expect((await resume({ maxCostUsd: 0.8 })).status).toBe(200);
    await deliverAll();
    const again = await run();
    expect(again).toMatchObject({ status: "paused", cost: { maxUsd: 0.8 } });
    expect(again.cost?.spentUsd).toBeGreaterThanOrEqual(0.8);
  });

  it("pauses a run whose endpoint reports no tokens, until the limit is removed", async () => {
    const ask = answering(() => ({ inputTokens: null, outputTokens: null }));
    const { run, resume, deliverAll } = await setUp(0.5, { ask });
    expect((await run()).statusReason).toContain("gives no token counts");
    const refused = await resume({ maxCostUsd: 100 });
    expect(refused.status).toBe(409);
    expect((await problemOf(refused)).detail).toContain('resume with {"maxCostUsd": null}');
    expect((await resume({ maxCostUsd: null })).status).toBe(200);
    await deliverAll();
    expect((await run()).status).toBe("finished");
  });

  it.each([
    ["another type", { maxCostUsd: "5" }, 422],
    ["zero", { maxCostUsd: 0 }, 422],
    ["an unknown field", { maxCost: 5 }, 422],
  ])("is not changed to %s", async (_case, change, status) => {
    const { run, resume } = await setUp(0.5);
    expect((await resume(change)).status).toBe(status);
    expect((await run()).cost?.maxUsd).toBe(0.5);
  });

  it("is not changed by a body whose content type is not JSON", async () => {
    const { id, post } = await setUp(0.5);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await post(`/v1/runs/${id}/resume`, { maxCostUsd: 5 }, form)).status).toBe(415);
  });
});

describe("a submission with maxCostUsd", () => {
  const refused = async (model: object) => {
    const { platform } = harness();
    const options = { maxCostUsd: 1 };
    const body = aSubmission(await relayDataset(platform, 3), { options }, model);
    const response = await serve(platform).post("/v1/submissions", body);
    expect(response.status).toBe(422);
    return (await problemOf(response)).errors;
  };

  it("requires prices for every model", async () => {
    const [error] = (await refused({})) ?? [];
    expect(error?.pointer).toBe("/models/0/prices");
    expect(error?.detail).toContain("options.maxCostUsd (1) can't be enforced");
  });

  it("refuses answers made elsewhere, which have no cost", async () => {
    const answers = [{ id: "s0", output: "" }];
    const [error] = (await refused({ endpoint: undefined, answers, prices })) ?? [];
    expect(error?.pointer).toBe("/models/0/answers");
    expect(error?.detail).toContain("there is no cost");
  });
});

describe("a run's cost", () => {
  it("is null without prices", async () => {
    const { platform } = harness();
    const { post, run } = serve(platform);
    const created = await post("/v1/submissions", aSubmission(await relayDataset(platform, 3)));
    const { runs } = (await created.json()) as Submission;
    expect((await run(runs[0]?.id ?? "")).cost).toBeNull();
  });
});
