import { expect } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { Republication } from "../../../shared/contracts/boards/republication.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { serve } from "./client.ts";
import { deliver, harness, oneLane, submitRun, upperCasing, workOff } from "./harness.ts";
import { relaySuite } from "./relay-suite.ts";

const COUNT = 20;
const right = (i: number) => `AGAIN: WORD ${i}`;
export const suitesOf = (suite: Suite) => ({ all: [suite], byId: () => suite });

/** The model "lantern" answers "lantern" to the first sample; other models repeat the sample. */
export const ask: AskModel = async (target, request, limits, memory) => {
  const reply = await upperCasing(target, request, limits, memory);
  const isLantern = target.model === "lantern" && /again: WORD 0$/.test(lastOf(request));
  if (!isLantern || reply.kind !== "answer") return reply;
  return { ...reply, answer: { ...reply.answer, output: "LANTERN" } };
};
const lastOf = (request: Parameters<AskModel>[1]) => request.messages.at(-1)?.content ?? "";

export type Change = (row: { id: string; first: string; expected: string }) => object;

export function upload(
  platform: Platform,
  name: string,
  change: Change = (row) => row,
  corrects?: { version: string; reason: string },
  visibility: "public" | "private" = "public",
) {
  const rows = Array.from({ length: COUNT }, (_, i) =>
    JSON.stringify(change({ id: `s${i}`, first: `word ${i}`, expected: right(i) })),
  );
  return registerDataset(platform, {
    suite: relaySuite,
    name,
    visibility,
    owner: "acme",
    anyOwner: true,
    file: new TextEncoder().encode(rows.join("\n")),
    allowPartial: false,
    corrects,
  });
}

export const lantern: Change = (row) => (row.id === "s0" ? { ...row, expected: "LANTERN" } : row);
export const reason = "the first gold answer was of another page";

/** A board of two models; the corrected gold answers will match only one of them. */
export async function board(overrides: Partial<Platform> = {}) {
  const rig = harness({ suites: suitesOf(relaySuite), ask, ...overrides });
  const dataset = `acme/relay-${crypto.randomUUID().slice(0, 8)}`;
  const first = await upload(rig.platform, dataset);
  if (!first.ok) throw new Error(JSON.stringify(first.error));
  const tag = crypto.randomUUID().slice(0, 8);
  const models = ["plain", "lantern"].map((model) => ({
    name: model,
    slug: `acme/${model}-${tag}`,
    endpoint: { baseUrl: "http://127.0.0.1:8790/v1", model },
  }));
  const [plain, other] = models;
  const runs = [];
  for (const model of [plain, plain, other]) {
    runs.push(await submitRun(rig.platform, dataset, { models: [model], options: oneLane }));
    await rig.deliverAll();
  }
  const old = await rig.platform.boards.find("relay", dataset, null);
  if (old === null) throw new Error("there is no board");
  const never: AskModel = async () => expect.unreachable("re-publishing asked the model");
  const platform: Platform = { ...rig.platform, ask: never };
  return { ...rig, platform, dataset, version: first.value.version, runs, old };
}

export type Made = Awaited<ReturnType<typeof board>>;

/** Delivers all waiting messages on a platform. */
export const settle = ({ mail }: Made, platform: Platform) => workOff(platform, mail);

/** Lets the cron job start re-publications and store their runs. */
export async function begun({ mail }: Pick<Made, "mail">, platform: Platform) {
  await runCron(platform);
  for (const message of mail.finish.splice(0)) await deliver(platform, "finish", message);
}

export async function corrected(made: Made): Promise<Republication> {
  const stored = await upload(made.platform, made.dataset, lantern, {
    version: made.version,
    reason,
  });
  if (!stored.ok) throw new Error(JSON.stringify(stored.error));
  await runCron(made.platform);
  await settle(made, made.platform);
  return only(made);
}

/** The only re-publication from or to the old board. */
export async function only({ platform, old }: Made, api = serve(platform)): Promise<Republication> {
  const reply = await api.get(`/v1/republications?board=${old.id}`);
  const { republications } = (await reply.json()) as { republications: Republication[] };
  expect(republications).toHaveLength(1);
  return republications[0] as Republication;
}

export const ranks = (entries: Leaderboard["entries"]) =>
  entries.map(({ model, rank, headline }) => [model.name, rank, headline.value]);

/** Submits another run on a dataset. */
export async function another(made: Made, dataset: string, model: string, slug?: string) {
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model };
  const models = [
    { name: model, slug: slug ?? `acme/${crypto.randomUUID().slice(0, 8)}`, endpoint },
  ];
  return submitRun({ ...made.platform, ask }, dataset, { models, options: oneLane });
}

export const boardNow = ({ platform, dataset }: Made) =>
  platform.boards.find("relay", dataset, null);
