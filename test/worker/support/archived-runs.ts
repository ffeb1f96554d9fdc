import { env } from "cloudflare:workers";
import type { Platform } from "../../../api/platform/platform.ts";
import { archiveRuns } from "../../../api/runs/archive-runs.ts";
import { serve } from "./client.ts";
import { answering, harness, relayDataset, submitRun } from "./harness.ts";

export const HOUR_MS = 3_600_000;
export const rows = async (table: string, run: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE run_id = ?`)
    .bind(run)
    .first<number>("n");
export const rowsIn = async (run: string) =>
  ((await rows("samples", run)) ?? 0) + ((await rows("samples_1", run)) ?? 0);

/** A finished run with a clock; every fifth sample failed and some scored 0. */
export async function finishedRun(count = 40, overrides: Partial<Platform> = {}) {
  const clock = { now: Date.now(), isMended: false };
  const error = { class: "server_error" as const, message: "500" };
  const rig = harness({
    now: () => clock.now,
    ask: answering(({ messages }) => {
      const number = Number(/\d+/.exec(messages[0]?.content ?? "")?.[0]);
      if (number % 5 === 0 && !clock.isMended) return { output: null, error };
      return { latencyMs: number / 7, ...(number % 3 === 0 && { output: "wrong" }) };
    }),
    ...overrides,
  });
  const dataset = await relayDataset(rig.platform, count);
  const submitAgain = () => submitRun(rig.platform, dataset, { options: { concurrency: 10 } });
  const run = await submitAgain();
  await rig.deliverAll();
  return { ...rig, clock, run, dataset, submitAgain, api: serve(rig.platform) };
}

export type Finished = Awaited<ReturnType<typeof finishedRun>>;

/** Archives all runs that have ended. */
export async function archived({ platform, clock }: Finished) {
  clock.now += 6 * HOUR_MS;
  await archiveRuns(platform);
}

/** The replies of all routes that read a run's samples. */
export async function readings({ platform, api, run }: Finished): Promise<Record<string, string>> {
  const filters = [
    "",
    "order=score",
    "status=scored",
    "covered=false",
    "order=score&covered=true",
    "order=latest&look=true",
    "error=server_error",
    "order=score&min=0.5&max=1",
    "order=score&direction=before",
    "direction=before",
    "text=word+1",
  ];
  const paths = [
    ...filters.map((filter) => `samples?limit=7&${filter}`),
    "samples/s3",
    "samples.csv",
    "samples.jsonl?fields=true",
    "fields.jsonl",
    "answers.jsonl",
    "answers.jsonl?whole=true",
    "report",
    "statement",
  ];
  const read: Record<string, string> = {};
  for (const path of paths) {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const at: string = `/v1/runs/${run}/${path}${cursor && `&cursor=${cursor}`}`;
      const text = await (await api.get(at)).text();
      read[at] = text;
      cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1] ?? null;
    }
  }
  const { runs } = platform;
  const values = await Promise.all([
    runs.coveredRanges(run),
    runs.judgedRanges(run),
    runs.lastDoneMs(run),
    runs.samples(run, 5, 9),
    runs.samplesAt(run, [30, 2, 999]),
    runs.sample(run, 39),
    runs.sample(run, 40),
  ]);
  return { ...read, values: JSON.stringify(values) };
}
