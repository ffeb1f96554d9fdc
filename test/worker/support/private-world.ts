import { expect } from "vitest";
import { z } from "zod";
import { registerDataset } from "../../../api/datasets/register-dataset.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { DatasetVisibility } from "../../../shared/contracts/datasets/dataset.ts";
import type { NewLink, NewShare } from "../../../shared/contracts/keys/share.ts";
import type { NamedIds } from "../../support/every-route.ts";
import { serve } from "./client.ts";
import { anAccount, harness, oneLane, relayDataset, submitRun } from "./harness.ts";
import { relaySuite } from "./relay-suite.ts";

export const accounts = { acme: anAccount("acme"), other: anAccount("other") };
export const as = (who: string) => ({ authorization: `Bearer ${who}` });
export const METHODS = ["get", "post", "put", "patch", "delete"];

/** Part of every private name and text, and of nothing else. */
export const canary = "zeisig";
export const tag = () => `${canary}-${crypto.randomUUID().slice(0, 8)}`;

/** A service that requires keys, with a board of two public runs. */
export async function publicWorld() {
  const optionsSchema = z.strictObject({ temperature: z.number().default(0) });
  const suite = { ...relaySuite, optionsSchema, sweeps: { temperature: "temperature" } };
  const suites = { all: [suite], byId: (id: string) => (id === suite.id ? suite : undefined) };
  const rig = harness({ suites });
  const { settings } = rig.platform;
  const platform: Platform = { ...rig.platform, settings: { ...settings, requireApiKey: true } };
  const dataset = await relayDataset(platform, 3);
  const slug = `acme/${crypto.randomUUID().slice(0, 8)}`;
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const run = await submitRun(platform, dataset, {
    models: [{ name: "Open", slug, endpoint }],
    options: oneLane,
  });
  await submitRun(platform, dataset, { options: oneLane });
  await rig.deliverAll();
  await publish(platform);
  const board = (await platform.runs.get(run))?.boardId ?? "";
  const submission = (await platform.runs.get(run))?.submissionId ?? "";
  const ids: NamedIds = { run, submission, dataset, slug, board };
  return { ...rig, platform, api: serve(platform, accounts), ids, endpoint };
}

export type World = Awaited<ReturnType<typeof publicWorld>>;

/** Registers a dataset of acme with one sample per text, and returns its version. */
export async function ownDataset(
  platform: Platform,
  name: string,
  visibility: DatasetVisibility,
  texts: readonly string[],
): Promise<string> {
  const rows = texts.map((text, i) => JSON.stringify({ id: `s${i}`, first: text, expected: text }));
  const registered = await registerDataset(platform, {
    suite: relaySuite,
    name,
    visibility,
    owner: "acme",
    anyOwner: false,
    file: new TextEncoder().encode(rows.join("\n")),
    allowPartial: false,
  });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
  return registered.value.version;
}

/** Private runs of acme: on the public board's dataset, with its public model, in a sweep, and on a private dataset. */
export async function privateThings({ api, platform, ids, endpoint, deliverAll }: World) {
  const secret = `acme/${tag()}`;
  const models = [{ name: canary, slug: secret, endpoint }];
  const visibility = "private";
  const run = await submitRun(platform, ids.dataset, { visibility, models, options: oneLane });
  const again = [{ name: "Open", slug: ids.slug, endpoint }];
  const own = await submitRun(platform, ids.dataset, {
    visibility,
    models: again,
    options: oneLane,
  });
  const options = { ...oneLane, sweep: { temperature: [0, 1] } };
  await submitRun(platform, ids.dataset, { visibility, models, options });
  const dataset = `acme/${tag()}`;
  await ownDataset(platform, dataset, visibility, [canary, canary]);
  const onIt = await submitRun(platform, dataset, { visibility, models, options: oneLane });
  await deliverAll();
  const parity = `acme/${tag()}`;
  const hosts = { name: parity, reference: { run: onIt, label: canary }, margin: 0.1 };
  const created = await api.post("/v1/parities", hosts, as("acme"));
  if (created.status !== 201) throw new Error(await created.text());
  const started = await api.post(`/v1/parities/${parity}/hosts`, { endpoint }, as("acme"));
  if (started.status !== 202) throw new Error(await started.text());
  await deliverAll();
  await publish(platform);
  const submission = (await platform.runs.get(run))?.submissionId ?? "";
  const board = (await platform.runs.get(onIt))?.countedOn ?? "";
  return { run, own, onIt, ids: { run, submission, dataset, slug: secret, board, parity } };
}

/** Ids in the form of private ids that do not exist. */
export const never = (): NamedIds => ({
  run: `run_${crypto.randomUUID().replaceAll("-", "")}`,
  submission: `sub_${crypto.randomUUID().replaceAll("-", "")}`,
  dataset: `acme/${tag()}`,
  slug: `acme/${tag()}`,
  board: crypto.randomUUID().replaceAll("-", "").slice(0, 16),
  parity: `acme/${tag()}`,
});

export const everybody = { nobody: {}, other: as("other") };

export async function shareOf({ api }: World, run: string, body: object = {}): Promise<NewShare> {
  const reply = await api.post(`/v1/runs/${run}/shares`, body, as("acme"));
  expect(reply.status).toBe(201);
  return (await reply.json()) as NewShare;
}

/** A link to a board or parity of acme that is valid for a day. */
export async function linkTo(
  { api }: World,
  { board, parity }: { board?: unknown; parity?: string },
): Promise<NewLink> {
  const thing = typeof board === "object" ? { board } : { parity };
  const reply = await api.post("/v1/shares", { expiresInDays: 1, ...thing }, as("acme"));
  expect(reply.status).toBe(201);
  return (await reply.json()) as NewLink;
}
