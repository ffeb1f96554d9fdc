import { expect } from "vitest";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import type { Drift } from "../../../shared/contracts/drift/drift.ts";
import { xoshiro128 } from "../../../shared/stats/xoshiro128.ts";
import { answering, type harness, submitRun } from "./harness.ts";

/** A model that passes a random `share` of the samples, drawn again in each run. */
export function chancy(share: () => number): AskModel {
  const source = xoshiro128("chance");
  return answering(() => (source() / 2 ** 32 < Math.sqrt(share()) ? {} : { output: "PARDON?" }));
}

type Harness = ReturnType<typeof harness>;

/** Runs one model several times on a dataset, and returns the drift of each finished run. */
export async function reruns(
  { platform, deliverAll }: Harness,
  dataset: string,
  count: number,
  more: { suite?: string; slug?: string; before?: (rerun: number) => void } = {},
): Promise<{ run: string; drift: Drift }[]> {
  const { suite = "relay", slug = `acme/${crypto.randomUUID().slice(0, 8)}` } = more;
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const found: { run: string; drift: Drift }[] = [];
  for (let i = 0; i < count; i++) {
    more.before?.(i);
    const models = [{ name: "Model", slug, endpoint }];
    const run = await submitRun(platform, dataset, { suite, models, options: { concurrency: 50 } });
    await deliverAll();
    const record = await platform.drifts.get(run);
    found.push({ run, drift: record?.drift ?? expect.unreachable("the run has no drift record") });
  }
  return found;
}
