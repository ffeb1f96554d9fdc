import { drizzle } from "drizzle-orm/d1";
import { samples } from "../../api/db/schema.ts";
import { promptHashOf } from "../../api/pipeline/boards/board-identity.ts";
import { finalizeRun } from "../../api/pipeline/finalize.ts";
import { suiteOptionsOf } from "../../api/pipeline/lanes/run-plan.ts";
import { sampleRecord } from "../../api/pipeline/lanes/sample-record.ts";
import type { RunRecord, StoredSample } from "../../api/pipeline/ports.ts";
import { submit } from "../../api/pipeline/submissions/submit.ts";
import { textHash } from "../../shared/contracts/content-hash.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { submissionRequestSchema } from "../../shared/contracts/submission.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import { localD1 } from "../faults/support/local-d1.ts";
import type { Bench } from "../simulator/support/evaluate.ts";
import type { DemoModel } from "./demo-models.ts";
import { operator, type Service, stockName } from "./service.ts";
import { type DemoAnswer, submitted } from "./simulated-answers.ts";

/** From a run's submission to its first call, and from its last answer to its end. */
const margins = { beforeMs: 900, afterMs: 400 };

/** Which model is evaluated, for the how manyth time on the suite, and when. */
interface Evaluation {
  model: DemoModel;
  turn: number;
  createdAt: number;
}

/**
 * Takes a run in and finishes it with these answers: submitted, scored, added up and stored by the service's
 * own code. The same model, suite and turn always give the same run.
 */
export async function finishedRun(
  service: Service,
  { suite, samples: its }: Bench,
  evaluation: Evaluation,
  answers: readonly DemoAnswer[],
): Promise<RunRecord> {
  service.at(evaluation.createdAt);
  const run = await newRun(service, suite, evaluation, answers);
  const startedAt = evaluation.createdAt + margins.beforeMs;
  service.database
    .prepare(
      "UPDATE runs SET status = 'running', started_at = ?, phase = ?, cursor = units WHERE id = ?",
    )
    .run(startedAt, run.judging === null ? "answering" : "judging", run.id);
  const options = suite.optionsSchema.parse(suiteOptionsOf(run.options));
  const stored = answers.map((given, seq): StoredSample => {
    const score = suite.score(its[seq], given.answer, options);
    return { seq, ...given, score: { ...score, detail: score.detail as Json } };
  });
  await storeSamples(service, run, stored);
  const lastMs = Math.max(0, ...answers.map(({ doneMs }) => doneMs ?? 0));
  service.at(startedAt + lastMs + margins.afterMs);
  await finalizeRun(service.ports, run.id);
  const finished = await service.ports.runs.get(run.id);
  if (finished?.status !== "finished") throw new Error(`${run.id} is ${finished?.status}`);
  return finished;
}

async function newRun(
  { ports }: Service,
  suite: Suite,
  { model, turn }: Evaluation,
  answers: readonly DemoAnswer[],
): Promise<RunRecord> {
  const { slug, name, parameters, prices, origin } = model;
  const request = submissionRequestSchema.parse({
    ...{ suite: suite.id, dataset: stockName },
    models: [
      {
        ...{ slug, name, parameters, simulated: true },
        ...(prices && { prices }),
        ...(origin === "called"
          ? { endpoint: { baseUrl: `https://${slug.split("/")[0]}.example/v1`, model: name } }
          : { answers: answers.map(({ id, answer }) => submitted(id, answer)) }),
        ...(origin === "self-reported" && {
          promptHash: promptHashOf(suite, suite.optionsSchema.parse({})),
        }),
      },
    ],
  });
  const hash = textHash(`${slug} ${suite.id} ${turn}`).slice(0, 32);
  const taken = await submit(
    { ...ports, newId: (prefix) => `${prefix}_${hash}` },
    ...([request, operator] as const),
  );
  if (!taken.ok) throw new Error(`the service refuses ${slug}: ${JSON.stringify(taken.error)}`);
  const run = await ports.runs.get(`run_${hash}`);
  if (run === null) throw new Error(`run_${hash} was not stored`);
  return run;
}

async function storeSamples(
  { ports, database }: Service,
  run: RunRecord,
  stored: readonly StoredSample[],
): Promise<void> {
  const key = `runs/${run.id}/answers/demo.json`;
  await ports.objects.put(key, stored);
  const judged = { ...run, phase: "judging" as const };
  const rows = stored.map((sample) => sampleRecord(judged, sample, key));
  const d1 = localD1(database) as unknown as Parameters<typeof drizzle>[0];
  await drizzle(d1).insert(samples).values(rows);
}
