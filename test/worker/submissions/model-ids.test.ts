import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { platformOf } from "../../../api/index.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { judgeClient } from "../../../api/providers/judges.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { SignedStatement } from "../../../shared/contracts/boards/result-statement.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import type { RunReport } from "../../../shared/contracts/run-report.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { anApp } from "../support/client.ts";
import { judgedHarness, judgedRun, storedAnswers } from "../support/fake-judges.ts";
import { answering, harness, relayDataset, submitRun } from "../support/harness.ts";

const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "extract-7b" };

/** A model that reports `nameOf(n)` as the served model of its n-th request, from 0. */
function calling(nameOf: (request: number) => string | undefined): AskModel {
  let requests = 0;
  return answering(() => {
    const servedModel = nameOf(requests++);
    return servedModel === undefined ? {} : { servedModel };
  });
}

async function finished(
  models: unknown[],
  nameOf: (request: number) => string | undefined,
  ask = calling(nameOf),
) {
  const { platform, deliverAll } = harness({ ask });
  const dataset = await relayDataset(platform, 12);
  const id = await submitRun(platform, dataset, { models });
  await deliverAll();
  const app = anApp(platform);
  const read = async <T>(path: string) => (await app.request(path)).json() as Promise<T>;
  const run = await read<Run>(`/v1/runs/${id}`);
  const { run: reported } = await read<RunReport>(`/v1/runs/${id}/report`);
  const signed = await read<SignedStatement>(`/v1/runs/${id}/statement`);
  const board = await read<Leaderboard>(`/v1/leaderboard?suite=relay&dataset=${dataset}`);
  const csv = await (
    await app.request(`/v1/leaderboard.csv?suite=relay&dataset=${dataset}`)
  ).text();
  return { run, reported, signed, entry: board.entries?.[0], csv };
}

/** The reply of a chat completions and embeddings endpoint that reports `model`. */
async function replyAs(model: string, input: RequestInfo | URL, init?: RequestInit) {
  const request = new Request(input, init);
  if (request.url.endsWith("/embeddings")) {
    const data = [0, 1].map((index) => ({ index, embedding: [1, index] }));
    return Response.json({ model, data, usage: { prompt_tokens: 1 } });
  }
  const { response_format } = (await request.json()) as {
    response_format?: { json_schema?: { name: string } };
  };
  const judgment = judgments[response_format?.json_schema?.name ?? ""]?.judgment;
  const message = { content: JSON.stringify(judgment ?? "X") };
  return Response.json({ model, choices: [{ finish_reason: "stop", message }] });
}

describe("the ids of asked and served models", () => {
  it("are in run, report, board entry and signed statement", async () => {
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

  it("are limited in number, and absent if no answer names a model", async () => {
    const models = [{ name: "M", slug: "acme/many-ids", endpoint }];
    const { run, entry } = await finished(models, (request) => `m-${request}`);
    expect(run.model.served).toHaveLength(11);
    expect(run.model.served?.at(-1)).toEqual({ model: null, answers: 2 });
    expect(entry?.model.served).toEqual([
      ...(run.model.served?.slice(0, 3) ?? []),
      { model: null, answers: 9 },
    ]);
    const none = await finished([{ name: "M", slug: "acme/no-ids", endpoint }], () => undefined);
    expect(none.run.model).toMatchObject({ asked: ["extract-7b"], served: [] });
  });

  it("are the last columns of the board's CSV, with formulas escaped", async () => {
    const models = [{ name: "M", slug: "acme/csv-ids", endpoint: { ...endpoint, model: "=x" } }];
    const names = ["a-1", "a-1", "=1+1", "c", "d"];
    const { csv, entry } = await finished(models, (request) => names[request % names.length]);
    const served = entry?.model.served?.map(({ model }) => model ?? "others");
    expect(served).toHaveLength(4);
    const [header = "", record] = csv.split("\r\n");
    expect(header).toMatch(/,supersededAt,model_id,served_model_ids$/);
    const cell = served?.join("; ").replace(/^=/, "'=");
    expect(record?.endsWith(`,'=x,"${cell}"`)).toBe(true);
    const formula = [{ name: "M", slug: "acme/csv-formula", endpoint }];
    expect((await finished(formula, () => "=1+1")).csv).toMatch(/,extract-7b,'=1\+1\r\n$/);
    const unknown = [{ name: "M", slug: "acme/csv-none", endpoint }];
    expect((await finished(unknown, () => undefined)).csv).toMatch(/,extract-7b,\r\n$/);
  });

  it("have direction marks and invisible characters replaced", async () => {
    const { ask } = platformOf({ ...env } as never);
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
      replyAs("other\u202egnp\u0007\u200b", input as RequestInfo, init as RequestInit),
    );
    const models = [{ name: "M", slug: "acme/turned-ids", endpoint }];
    const { run, reported, signed, entry } = await finished(models, () => undefined, ask);
    const served = [{ model: "other\ufffdgnp\ufffd\ufffd", answers: 12 }];
    for (const { model } of [run, reported, signed.statement, entry!]) {
      expect(model).toMatchObject({ served });
    }
  });

  it("have them replaced in names of judges, too", async () => {
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) =>
      replyAs("judge\u202egnp", input as RequestInfo, init as RequestInit),
    );
    const keys = { JUDGE_KEY_OPENAI: "k", JUDGE_KEY_ANTHROPIC: "k", JUDGE_KEY_GOOGLE: "k" };
    const around = { now: Date.now, sleep: async () => {}, random: () => 0 };
    const rig = judgedHarness(judgeClient(keys, around));
    const { run } = await judgedRun(rig, {}, undefined, 1);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["empathy"]).toMatchObject([
      { judge: "judge\ufffdgnp", unjudged: null },
    ]);
  });

  it("can be declared with answers made elsewhere", async () => {
    const answers = Array.from({ length: 12 }, (_, i) => ({
      id: `s${i}`,
      output: "X",
      servedModel: "own-model-2026-05-01\u202e",
    }));
    const models = [
      { name: "Own", slug: "acme/own", modelId: "own-model", promptHash: "0".repeat(64), answers },
    ];
    const { run, signed } = await finished(models, () => undefined);
    const ids = {
      asked: ["own-model"],
      served: [{ model: "own-model-2026-05-01\ufffd", answers: 12 }],
    };
    expect([run.model, signed.statement.model]).toMatchObject([ids, ids]);
    const both = finished(
      [{ name: "M", slug: "acme/both", endpoint, modelId: "x" }],
      () => undefined,
    );
    await expect(both).rejects.toThrow(/only for submitted answers/);
  });
});
