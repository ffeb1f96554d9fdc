import { describe, expect, it } from "vitest";
import { compareMessage } from "../../../api/platform/messages.ts";
import { type Platform, planLimits } from "../../../api/platform/platform.ts";
import { hideRun } from "../../../api/runs/service.ts";
import { comparisonSchema } from "../../../shared/contracts/boards/comparison.ts";
import { problemOf, serve } from "../support/client.ts";
import {
  anAccount,
  answering,
  deliver,
  harness,
  relayDataset,
  submitRun,
} from "../support/harness.ts";

/** A model that is wrong if the question ends with one of the digits. */
const wrongAt = (digits: string) =>
  answering((request) =>
    new RegExp(`[${digits}]$`).test(request.messages[0]?.content ?? "") ? { output: "no" } : {},
  );

/** Finished runs on one dataset, each of a model that is wrong at its digits. */
async function finished(samples: number, ...digits: string[]) {
  const { platform, mail } = harness();
  const dataset = await relayDataset(platform, samples);
  const runs: string[] = [];
  for (const wrong of digits) {
    const model = harness({ ask: wrong === "" ? answering(() => ({})) : wrongAt(wrong) });
    runs.push(await submitRun(model.platform, dataset));
    await model.deliverAll();
  }
  return { platform, mail, dataset, runs: runs.sort() };
}

const compare = (platform: Platform, runs: readonly string[]) =>
  serve(platform, { a: anAccount("acme") }).get(`/v1/compare?runs=${runs.join()}`);

describe("GET /v1/compare", () => {
  it("compares runs in any order, and stores the comparison", async () => {
    const { platform, runs } = await finished(60, "", "0123", "9");
    const response = await compare(platform, runs.toReversed());
    expect(response.status).toBe(200);
    const text = await response.text();
    const comparison = comparisonSchema.strict().parse(JSON.parse(text));
    expect(comparison.runs.map(({ run, samples, leftOut }) => [run, samples, leftOut])).toEqual(
      runs.map((run) => [run, 60, 0]),
    );
    const [passed] = comparison.metrics;
    expect(passed).toMatchObject({ metric: "passed", samples: 60 });
    expect(passed?.standings.map(({ value }) => value)).toEqual([
      1,
      expect.closeTo(0.9, 9),
      expect.closeTo(0.6, 9),
    ]);
    expect(passed?.pairs).toHaveLength(3);
    const kept = {
      ...platform,
      objects: { ...platform.objects, putOnce: () => expect.unreachable() },
    };
    expect(await (await compare(kept as never, runs)).text()).toBe(text);
  });

  it("names the settings in which the models differ, also in a stored comparison", async () => {
    const { platform, deliverAll } = harness({ ask: answering(() => ({})) });
    const dataset = await relayDataset(platform, 20);
    const baseUrl = "http://127.0.0.1:8790/v1";
    const models = (["high", "low"] as const).map((reasoningEffort) => ({
      name: "M",
      endpoint: { baseUrl, model: "m", settings: { reasoningEffort, seed: 1 } },
    }));
    const runs: string[] = [];
    for (const model of models) runs.push(await submitRun(platform, dataset, { models: [model] }));
    await deliverAll();
    const read = async () => comparisonSchema.parse(await (await compare(platform, runs)).json());
    const comparison = await read();
    const efforts = comparison.runs.map(({ run }) => (run === runs[0] ? "high" : "low"));
    const differing = [{ setting: "reasoningEffort", values: efforts }];
    expect(comparison.differingSettings).toEqual(differing);
    expect((await read()).differingSettings).toEqual(differing);
  });

  it("tests pairs against the margin of a metric", async () => {
    const { platform, runs } = await finished(60, "", "9");
    const { get } = serve(platform, { a: anAccount("acme") });
    const path = `/v1/compare?runs=${runs.join()}&margin=passed:0.3`;
    const comparison = comparisonSchema.parse(await (await get(path)).json());
    const [passed] = comparison.metrics;
    expect(passed?.margin).toMatchObject({ margin: 0.3, pairs: [{ verdict: "same" }] });
    for (const [margin, detail] of [
      ["eqs:0.1", 'margin: "eqs" is not compared by sample; metrics are passed'],
      ["passed:-1", "give margins above 0 as metric:number"],
    ]) {
      const refused = await get(`/v1/compare?runs=${runs.join()}&margin=${margin}`);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(await refused.json())).toContain(JSON.stringify(detail).slice(1, -1));
    }
  });

  it("refuses runs over different samples of a dataset", async () => {
    const { platform, dataset, runs } = await finished(10, "", "1");
    const short = harness();
    const answers = [0, 1, 2].map((i) => ({ id: `s${i}`, output: "no" }));
    const models = [{ name: "Short", slug: "acme/short", answers }];
    const third = await submitRun(short.platform, dataset, {
      models,
      options: { sample: { n: 3, seed: 1 } },
    });
    await short.deliverAll();
    const response = await compare(platform, [...runs, third]);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.map(({ detail }) => detail).join()).toMatch(
      /the runs differ in .*sample subset: none .* and \{"n":3,"seed":1\}/,
    );
  });

  it("explains why runs are not comparable", async () => {
    const [one, other] = [await finished(5, ""), await finished(6, "")];
    const response = await compare(one.platform, [...one.runs, ...other.runs]);
    expect(response.status).toBe(422);
    const { type, errors } = await problemOf(response);
    expect(type).toMatch(/\/errors\/not-comparable\/$/);
    expect(errors?.map(({ parameter, detail }) => [parameter, detail.split(":")[0]])).toEqual([
      ["runs", "the runs differ in dataset"],
      ["runs", "the runs differ in dataset version"],
    ]);
  });

  it("requires 2 to 20 different, existing, finished runs", async () => {
    const { platform, runs, dataset } = await finished(3, "", "1");
    const statuses = async (...ids: string[]) => (await compare(platform, ids)).status;
    expect(await statuses(runs[0]!, runs[0]!)).toBe(422);
    expect(await statuses(...Array.from({ length: 21 }, (_, i) => `run_${i}`))).toBe(422);
    expect(await statuses(runs[0]!, "run_none")).toBe(404);
    const open = await submitRun(platform, dataset);
    expect(await statuses(runs[0]!, open)).toBe(409);
    const response = await serve(platform).get("/v1/compare");
    expect((await problemOf(response)).errors?.[0]).toEqual({
      parameter: "runs",
      detail: "give the ids of the runs, as ?runs=run_a,run_b",
    });
  });

  it("does not show a hidden run, even if it was compared before", async () => {
    const { platform, runs } = await finished(4, "", "1");
    expect((await compare(platform, runs)).status).toBe(200);
    await hideRun(platform, runs[1]!, "spam");
    const strangers = { ...platform, settings: { ...platform.settings, requireApiKey: true } };
    expect((await compare(strangers, runs)).status).toBe(404);
  });

  it("answers 202 for a large comparison, and 200 once the queue has computed it", async () => {
    const { platform, mail, runs } = await finished(20, "", "1");
    const large: Platform = {
      ...platform,
      runs: {
        ...platform.runs,
        get: async (id) => {
          const run = await platform.runs.get(id);
          return run && { ...run, total: 8_000 };
        },
      },
    };
    const first = await compare(large, runs);
    expect([first.status, first.headers.get("retry-after")]).toEqual([202, "3"]);
    expect(await first.json()).toEqual({ status: "running" });
    expect(mail.finish).toEqual([compareMessage(runs)]);
    for (const message of [...mail.finish, ...mail.finish]) {
      expect(await deliver(large, "finish", message)).toBe("ack");
    }
    const done = await compare(large, runs);
    expect(done.status).toBe(200);
    expect(await done.text()).toBe(await (await compare(platform, runs)).text());
  });

  it.each(["free", "paid"] as const)(
    "refuses a comparison beyond the limits of the %s plan",
    async (name) => {
      const { platform, runs } = await finished(2, "", "1");
      const plan = planLimits[name];
      const settings = { ...platform.settings, plan };
      const statusOf = async (samples: number) => {
        const get = async (id: string) => {
          const run = await platform.runs.get(id);
          return run && { ...run, total: samples / 2 };
        };
        return compare({ ...platform, settings, runs: { ...platform.runs, get } }, runs);
      };
      expect((await statusOf(plan.comparedSamples)).status).toBeLessThan(300);
      const refused = await statusOf(plan.comparedSamples + 2);
      expect(refused.status).toBe(422);
      expect((await problemOf(refused)).detail).toMatch(
        `the runs have ${plan.comparedSamples + 2} samples in total`,
      );
    },
  );
});
