import { setTimeout as sleep } from "node:timers/promises";
import { textHash } from "../../../shared/contracts/content-hash.ts";
import { serviceApi } from "../../support/service-api.ts";
import type { Bench } from "../bench.ts";
import { costUsd } from "../cost/prices.ts";
import { usageEach, usageSince } from "../cost/usage.ts";
import { BenchService } from "../support/bench-service.ts";

const RATINGS = 1_000;
const POLL_MS = 500;
const output = "Turn off the water, and replace the washer.";
const criterion = { id: "kind", question: "Is it kind?", scale: { min: 1, max: 5 } };

/** Cost of people's ratings on Cloudflare, from the file to the corrected means. */
export const ratings: Bench = {
  repeats: 1,
  rows: [
    {
      name: "service/ratings-cost",
      what: "1,000 ratings of a person in one file, and the corrected means: Cloudflare's cost per million, without CPU time",
      unit: "USD",
      target: { atMost: 3 },
    },
    {
      name: "service/ratings-rows",
      what: "the same: rows written to D1 per rating",
      unit: "rows",
    },
  ],
  async prepare({ scale }, onEnd) {
    const count = Math.max(10, Math.round(RATINGS * Math.min(1, scale)));
    const service = await BenchService.start(1, { metered: true });
    onEnd(() => service.stop());
    return async () => {
      const run = await judgedRun(service.origin, count);
      const before = await service.usage();
      await rate(service, run, count);
      const used = usageEach(usageSince(before, await service.usage()), count);
      const usd = costUsd({ ...used, logEvents: used.invocations, cpuMs: 0 });
      return [usd * 1e6, used.d1RowsWritten];
    };
  },
};

/** Submits `count` answers with recorded judgments and returns the id of the finished run. */
async function judgedRun(origin: string, count: number): Promise<string> {
  const api = serviceApi(origin);
  const ids = Array.from({ length: count }, (_, i) => `s${i}`);
  const rows = ids.map((id) => JSON.stringify({ id, query: `How do I stop tap ${id}?` }));
  const name = "rated";
  await api.uploadDataset("rubric", name, rows.join("\n"));
  const judgments = { kind: { judgment: { score: 4 } } };
  const answers = ids.map((id) => ({ id, output, judgments }));
  const { runs } = await api.submit({
    suite: "rubric",
    dataset: name,
    options: { judge: "recorded", rubric: { name: "Kindness", criteria: [criterion] } },
    models: [{ name: "Rated", slug: "bench/rated", simulated: true, answers }],
  });
  const id = runs[0]?.id ?? "";
  while ((await api.run(id)).status !== "finished") await sleep(POLL_MS);
  return id;
}

async function rate(service: BenchService, run: string, count: number): Promise<void> {
  const { origin } = service;
  const answerHash = textHash(output);
  const rating = { answerHash, metric: "kind", score: 5, rater: "Ada" };
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ sampleId: `s${i}`, ...rating }),
  );
  const headers = { "content-type": "application/x-ndjson" };
  const request = { method: "POST", headers, body: lines.join("\n") };
  const stored = await fetch(`${origin}/v1/runs/${run}/ratings`, request);
  if (!stored.ok) throw new Error(`ratings: ${stored.status} ${await stored.text()}`);
  // Like the platform's trigger every minute.
  await service.cron();
  while (!(await serviceApi(origin).run(run)).people) await sleep(POLL_MS);
}
