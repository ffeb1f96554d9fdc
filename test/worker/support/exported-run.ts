import { anApp } from "./client.ts";
import { harness, relayDataset, submitRun } from "./harness.ts";

/** A run of the relay suite, finished by default, and the service that exports it. */
export async function exportedRun(samples: number, { deliver = true, name = "Model" } = {}) {
  const { platform, deliverAll } = harness();
  const dataset = await relayDataset(platform, samples);
  const slug = `acme/${crypto.randomUUID().slice(0, 8)}`;
  const endpoint = { baseUrl: "https://models.example.com/v1", model: "m" };
  const run = await submitRun(platform, dataset, { models: [{ name, slug, endpoint }] });
  if (deliver) await deliverAll();
  const app = anApp(platform);
  const get = (path: string, init?: RequestInit) => app.request(`http://assay.test${path}`, init);
  return { platform, dataset, run, slug, get, deliverAll };
}

/** The ids of the first samples of the relay suite. */
export const ids = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`);
