import type { RunFacts, ScoredSample } from "#shared/contracts/suite.ts";
import { boardMessage } from "./messages.ts";
import type { Ports, RunRecord, SampleRecord, StoredSample } from "./ports.ts";
import { openRun, type RunWork } from "./run-work.ts";

/** Rows read at once, and objects fetched at once (connections of a Worker: six). */
const PAGE = 2_000;
const FETCHES = 5;

/** Sums up a run whose samples are all in. Can run any number of times, to the same bytes. */
export async function finalizeRun(ports: Ports, runId: string): Promise<void> {
  await ports.runs.recount(runId);
  const run = await ports.runs.get(runId);
  if (run === null || run.done < run.total) return;
  if (run.status !== "running" && run.status !== "queued") return;
  const work = await openRun(ports, { ...run, sealedSecrets: null });
  const now = ports.now();
  const state = await aggregateSamples(ports, work);
  const summary = work.suite.aggregate.finish(state, factsOf(run, work, now));
  await ports.objects.put(vectorKey(runId), work.suite.aggregate.vector(state));
  await ports.objects.put(breakdownKey(runId), summary.breakdown);
  await ports.runs.finish(runId, summary.metrics, now);
  if (run.visibility === "unlisted") return;
  if (run.boardId === null) await ports.publications.markChanged();
  await ports.queues.finish(boardMessage(run.boardId));
}

/** Key of a run's score vector: the headline score by sample id. */
const vectorKey = (runId: string): string => `runs/${runId}/vector.json`;

/** Key of a run's breakdown: too large for its row, which every poll reads. */
export const breakdownKey = (runId: string): string => `runs/${runId}/breakdown.json`;

function factsOf(run: RunRecord, work: RunWork, now: number): RunFacts<unknown> {
  return {
    runId: run.id,
    options: work.options,
    prices: run.prices,
    wallMs: run.endpoint === null || run.startedAt === null ? null : now - run.startedAt,
  };
}

async function aggregateSamples(ports: Ports, work: RunWork): Promise<unknown> {
  const { aggregate } = work.suite;
  let state: unknown = aggregate.empty();
  let after = -1;
  for (;;) {
    const rows = await ports.runs.samples(work.run.id, after, PAGE);
    for await (const sample of storedSamples(ports, rows)) {
      state = aggregate.add(state, scoredSample(work, sample));
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return state;
    after = last.seq;
  }
}

/** The stored samples behind rows: each from the object that its row names, so counted once. */
async function* storedSamples(ports: Ports, rows: readonly SampleRecord[]) {
  const bySeq = new Map(rows.map((row) => [row.seq, row.object]));
  const keys = [...new Set(bySeq.values())];
  for (let i = 0; i < keys.length; i += FETCHES) {
    const wanted = keys.slice(i, i + FETCHES);
    const objects = await Promise.all(wanted.map((key) => ports.objects.get<StoredSample[]>(key)));
    for (const [j, object] of objects.entries()) {
      if (object === null) throw new Error(`missing object ${wanted[j]}`);
      yield* object.filter((sample) => bySeq.get(sample.seq) === wanted[j]);
    }
  }
}

function scoredSample(work: RunWork, stored: StoredSample): ScoredSample {
  const head = work.plan.heads[Math.floor(stored.seq / work.plan.repeats)];
  const { output: _, refusal: __, toolCalls: ___, ...call } = stored.answer;
  return { seq: stored.seq, id: stored.id, tags: head?.tags ?? {}, score: stored.score, call };
}
