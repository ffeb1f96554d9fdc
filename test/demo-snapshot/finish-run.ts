import { drizzle } from "drizzle-orm/d1";
import { finalizeRun } from "../../api/engine/finalize.ts";
import { suiteOptionsOf } from "../../api/engine/run-plan.ts";
import { sampleRecord } from "../../api/engine/sample-record.ts";
import { type RunRecord, samples } from "../../api/runs/schema.ts";
import type { StoredSample } from "../../api/runs/stored-samples.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { localD1 } from "../faults/support/local-d1.ts";
import type { Bench } from "../simulator/support/evaluate.ts";
import type { Service } from "./service.ts";
import type { DemoAnswer } from "./simulated-answers.ts";

/** Time from a run's submission to its first call, and from its last answer to its end. */
const margins = { beforeMs: 900, afterMs: 400 };

/** Finishes a run with an answer to every sample. The service's own code scores, aggregates and stores it. */
export async function finishRun(
  service: Service,
  { suite, samples: parsed }: Bench,
  run: RunRecord,
  answers: readonly DemoAnswer[],
): Promise<RunRecord> {
  const startedAt = run.createdAt + margins.beforeMs;
  service.database
    .prepare(
      "UPDATE runs SET status = 'running', started_at = ?, phase = ?, cursor = units WHERE id = ?",
    )
    .run(startedAt, run.judging === null ? "answering" : "judging", run.id);
  const options = suite.optionsSchema.parse(suiteOptionsOf(run.options));
  const stored = answers.map((one, seq): StoredSample => {
    const score = suite.score(parsed[seq], one.answer, options);
    return { seq, ...one, score: { ...score, detail: score.detail as Json } };
  });
  await storeSamples(service, run, stored);
  const lastMs = Math.max(0, ...answers.map(({ doneMs }) => doneMs ?? 0));
  service.at(startedAt + lastMs + margins.afterMs);
  await finalizeRun(service.platform, run.id);
  const finished = await service.platform.runs.get(run.id);
  if (finished?.status !== "finished") throw new Error(`${run.id} is ${finished?.status}`);
  return finished;
}

async function storeSamples(
  { platform, database }: Service,
  run: RunRecord,
  stored: readonly StoredSample[],
): Promise<void> {
  const key = `runs/${run.id}/answers/demo.json`;
  await platform.objects.put(key, stored);
  const judged = { ...run, phase: "judging" as const };
  const rows = stored.map((sample) => sampleRecord(judged, sample, key));
  const d1 = localD1(database) as unknown as Parameters<typeof drizzle>[0];
  await drizzle(d1).insert(samples).values(rows);
}
