import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { root } from "../../../cli/local/root.ts";
import { jsonLines } from "../../support/json-lines.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { submittedIn } from "./runs.ts";
import { bearer, page } from "./scene.ts";

/** Names of an account's resources. */
export const inventory = ({ account }: Cloud) => ({
  databases: [...account.databases.values()].map(({ name }) => name),
  buckets: [...account.buckets.keys()],
  queues: [...account.queues.values()]
    .map(({ name, consumer }) => `${name}: ${consumer?.script}`)
    .sort(),
  workers: [...account.scripts.values()].map(({ name, crons }) => [name, crons.length]),
  secrets: [...account.scripts.values()].flatMap((one) => [...one.secrets.keys()]),
});

const runSchema = z.object({
  status: z.string(),
  metrics: z.object({ eqs: z.object({ value: z.number() }) }).nullish(),
});

/** Submits answers and waits for the score, which takes the deployment's queues, database and bucket. */
export async function evaluated(cloud: Cloud): Promise<string> {
  const suite = "extraction";
  const file = readFileSync(join(root, "shared/suites/extraction/stock.jsonl"), "utf8");
  const answers = jsonLines<{ id: string; expected_output: unknown }>(file).map((row) => ({
    id: row.id,
    output: JSON.stringify(row.expected_output),
  }));
  const models = [{ name: "Perfect", slug: "rehearsal/perfect", answers }];
  const id = await submittedIn(cloud, { suite, dataset: "stock", models });
  for (let look = 0; look < 600; look++) {
    const run = await page(cloud, `/v1/runs/${id}`, { headers: bearer });
    const { status, metrics } = runSchema.parse(JSON.parse(run.text));
    if (status === "finished" || status === "failed") return `${status} ${metrics?.eqs.value}`;
    await setTimeout(500);
  }
  return "not finished within five minutes";
}
