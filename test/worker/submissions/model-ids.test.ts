import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { localAccount } from "../../../api/keys/account.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { SignedStatement } from "../../../shared/contracts/boards/result-statement.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { RunReport } from "../../../shared/contracts/run-report.ts";
import { answering, harness, relayDataset, submitRun } from "../support/harness.ts";

const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "extract-7b" };

async function finished(models: unknown[], nameOf: (request: number) => string | undefined) {
  let requests = 0;
  const { platform, deliverAll } = harness({
    ask: answering(() => {
      const servedModel = nameOf(requests++);
      return servedModel === undefined ? {} : { servedModel };
    }),
  });
  const dataset = await relayDataset(platform, 12);
  const id = await submitRun(platform, dataset, { models });
  await deliverAll();
  const app = createApp({
    platform: () => platform,
    account: async () => localAccount,
    site: async () => new Response("the site"),
  });
  const read = async <T>(path: string) => (await app.request(path)).json() as Promise<T>;
  const run = await read<Run>(`/v1/runs/${id}`);
  const { run: reported } = await read<RunReport>(`/v1/runs/${id}/report`);
  const signed = await read<SignedStatement>(`/v1/runs/${id}/statement`);
  const board = await read<Leaderboard>(`/v1/leaderboard?suite=relay&dataset=${dataset}`);
  return { run, reported, signed, entry: board.entries?.[0] };
}

describe("the id of the model that was asked, and of those that answered", () => {
  it("are in run, report, board entry and what is signed", async () => {
    const models = [{ name: "M", slug: "acme/ids", endpoint }];
    const { run, reported, signed, entry } = await finished(models, () => "m-2026-05-01");
    const ids = {
      asked: ["extract-7b"],
      served: [{ model: "m-2026-05-01", answers: 12 }],
    };
    expect(run.model).toMatchObject(ids);
    expect(reported.model).toMatchObject(ids);
    expect(signed.statement.model).toMatchObject(ids);
    expect(entry?.model).toMatchObject(ids);
    const payload = signed.signature?.split(".")[1] ?? "";
    expect(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")))).toMatchObject({
      model: ids,
    });
  });

  it("are bounded, and nothing is made up where no answer names a model", async () => {
    const models = [{ name: "M", slug: "acme/many-ids", endpoint }];
    const { run, entry } = await finished(models, (request) => `m-${request}`);
    expect(run.model.served).toHaveLength(11);
    expect(run.model.served?.at(-1)).toEqual({ model: null, answers: 2 });
    expect(entry?.model.served).toHaveLength(3);
    const none = await finished([{ name: "M", slug: "acme/no-ids", endpoint }], () => undefined);
    expect(none.run.model).toMatchObject({ asked: ["extract-7b"], served: [] });
  });

  it("are declared with answers made elsewhere", async () => {
    const answers = Array.from({ length: 12 }, (_, i) => ({
      id: `s${i}`,
      output: "X",
      servedModel: "own-model-2026-05-01",
    }));
    const models = [
      { name: "Own", slug: "acme/own", modelId: "own-model", promptHash: "0".repeat(64), answers },
    ];
    const { run, signed } = await finished(models, () => undefined);
    const ids = {
      asked: ["own-model"],
      served: [{ model: "own-model-2026-05-01", answers: 12 }],
    };
    expect([run.model, signed.statement.model]).toMatchObject([ids, ids]);
    const both = finished(
      [{ name: "M", slug: "acme/both", endpoint, modelId: "x" }],
      () => undefined,
    );
    await expect(both).rejects.toThrow(/declared with answers alone/);
  });
});
