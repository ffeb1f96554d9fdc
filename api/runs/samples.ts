import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { SamplePage, SampleResult, SampleRow } from "#shared/contracts/run.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { seqOf } from "../engine/run-plan.ts";
import { openRun, type RunWork } from "../engine/run-work.ts";
import type { Platform } from "../platform/platform.ts";
import { answersGoneDetail, areAnswersGone } from "./run-objects.ts";
import type { SampleQuery } from "./sample-store.ts";
import type { RunRecord, SampleRecord } from "./schema.ts";
import type { StoredSample } from "./stored-samples.ts";

/** A sample's row as the API shows it. */
export function sampleRowView(row: SampleRecord): SampleRow {
  return {
    seq: row.seq,
    id: row.sampleId,
    status: row.status,
    covered: row.covered,
    score: row.score,
    latencyMs: row.latencyMs,
    inputTokens: row.inputTokens,
    outputTokens: row.outputTokens,
    requests: row.requests,
    attempts: row.attempts,
    queueWaitMs: row.queueWaitMs,
    retryWaitMs: row.retryWaitMs,
    errorClass: row.errorClass,
  };
}

export type SampleProblem = { type: "not-found" | "not-ready" | "gone"; detail: string };

/** One sample of a run with its dataset row, answer and detailed score. */
export async function sampleResult(
  platform: Platform,
  run: RunRecord,
  sampleId: string,
  repeat: number,
): Promise<Result<SampleResult, SampleProblem>> {
  const { plan } = await openRun(platform, { ...run, sealedSecrets: null });
  const position = plan.heads.findIndex((head) => head.id === sampleId);
  if (position < 0) {
    return err({ type: "not-found", detail: `run ${run.id} has no sample "${sampleId}"` });
  }
  if (repeat >= plan.repeats) {
    const detail = `run ${run.id} asked each sample ${plan.repeats} time(s): repeat starts at 0`;
    return err({ type: "not-found", detail });
  }
  const row = await platform.runs.sample(run.id, seqOf(plan, position, repeat));
  if (row === null) {
    return err({ type: "not-ready", detail: `sample "${sampleId}" has not been answered yet` });
  }
  const stored = await storedSample(platform, run, row);
  if (!stored) return err({ type: "gone", detail: answersGoneDetail(run) });
  return ok(await wholeSample(platform, { run, plan }, row, stored));
}

/** A sample's row, its stored object and the dataset row. */
export async function wholeSample(
  platform: Platform,
  { run, plan }: Pick<RunWork, "run" | "plan">,
  row: SampleRecord,
  { answer, score }: StoredSample,
): Promise<SampleResult> {
  const position = plan.positions[Math.floor(row.seq / plan.repeats)] ?? 0;
  const sample = await platform.datasets.row(run.suite, run.datasetVersion, position);
  const { output, thoughts } = withoutThoughts(answer);
  const said = thoughts === undefined ? {} : { said: { answer: output, thoughts } };
  return { ...sampleRowView(row), sample, answer, ...said, detail: score.detail };
}

async function storedSample(platform: Platform, run: RunRecord, { object, seq }: SampleRecord) {
  if (areAnswersGone(run, platform.settings, platform.now())) return undefined;
  return (await platform.objects.get<StoredSample[]>(object))?.find((sample) => sample.seq === seq);
}

/** Maximum number of rows that a request may scan: D1 bills each. Two hundred times the largest page. */
export const MOST_LOOKED_AT = 20_000;

type TooMany = { type: "invalid-request"; detail: string; errors: FieldError[] };

/** A page of a run's samples. For large runs, queries that scan all rows are refused. */
export async function samplePage(
  platform: Pick<Platform, "runs">,
  { id, total }: Pick<RunRecord, "id" | "total">,
  query: SampleQuery,
): Promise<Result<SamplePage, TooMany>> {
  const parameters = scanning(query);
  if (parameters.length > 0 && total > MOST_LOOKED_AT) {
    const detail = `run "${id}" has ${total} samples, and only runs of up to ${MOST_LOOKED_AT} can be sorted or filtered here`;
    const errors = parameters.map((parameter) => ({ parameter, detail }));
    return err({ type: "invalid-request", detail, errors });
  }
  const rows = await platform.runs.sampleList(id, query);
  const last = rows.length === query.limit ? rows.at(-1) : undefined;
  return ok({ samples: rows.map(sampleRowView), nextCursor: last ? `${last.seq}` : null });
}

/** Query parameters that require a scan of all rows. */
const scanning = ({ order, status, covered }: SampleQuery): string[] => [
  ...(order === "score" ? ["order"] : []),
  ...(status === null ? [] : ["status"]),
  ...(covered === null ? [] : ["covered"]),
];
