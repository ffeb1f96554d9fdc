import type { Platform } from "../../../api/platform/platform.ts";
import { relayDataset, submitRun } from "./harness.ts";

const prices = { inputPerMillion: 1000, outputPerMillion: 1000 };

/** A run with the given concurrency, at a new endpoint by default. */
export async function runOf(
  platform: Platform,
  samples: number,
  concurrency: number,
  origin = crypto.randomUUID(),
) {
  const endpoint = { baseUrl: `http://${origin}.test/v1`, model: "m" };
  const models = [{ name: "M", slug: `acme/${crypto.randomUUID().slice(0, 8)}`, endpoint, prices }];
  const options = { concurrency };
  return submitRun(platform, await relayDataset(platform, samples), { models, options });
}
