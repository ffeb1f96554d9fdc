import { z } from "zod";
import { type Answer, emptyAnswer, errorClasses } from "#shared/contracts/answer.ts";
import type { ShownSample, TableBlock } from "#shared/contracts/report.ts";
import type { RunPoints } from "#shared/contracts/runs/run-points.ts";
import type { SampleScore, Suite } from "#shared/contracts/suite.ts";
import { addPoint, noPoints, pointsOf } from "#shared/measures/performance/run-points.ts";
import { linesOf, parseRow } from "../files/read-lines.ts";

const known = z.number().nullable();

/** Common fields of a line of `assay score --samples` or samples.jsonl; each suite adds more. */
const knownSchema = z.object({
  id: z.string(),
  repeat: z.int().default(0),
  cluster: z.string().optional(),
  outcome: z.enum(["scored", "unscored", "not_applicable"]),
  covered: z.boolean(),
  errorClass: z.enum(errorClasses).optional().catch(undefined),
  score: known,
  latencyMs: known,
  inputTokens: known,
  outputTokens: known,
  attempts: z.int(),
});
export type SampleLine = z.infer<typeof knownSchema> & Readonly<Record<string, unknown>>;

/** Parts of a report that come from a file of samples. */
interface Sampled {
  points: RunPoints;
  samples: ShownSample[];
}

/**
 * Reads the parts of a report that need samples: points for charts, and notable samples with counts and metrics.
 * Null without samples. The file is read twice, because the notable samples are known only at its end.
 */
export function sampledReport(path: string, suite: Suite): Sampled | null {
  const tally = noPoints();
  let seq = 0;
  for (const line of readSampleLines(path)) addLine(tally, suite, seq++, line);
  if (seq === 0) return null;
  const points = pointsOf(tally);
  const picked = pickedLines(
    path,
    points.picks.map((pick) => pick.seq),
  );
  const samples = points.picks.flatMap(({ seq: at, kind, reason, id, repeat }): ShownSample[] => {
    const line = picked.get(at);
    if (line === undefined) return [];
    const { outcome: status, score } = line;
    return [{ kind, reason, id, repeat, status, score, blocks: [figureTable(line)] }];
  });
  return { points, samples };
}

/** The lines of a file of samples, up to the first invalid line. Throws BadInput if the file can't be read. */
export function* readSampleLines(path: string): Generator<SampleLine> {
  for (const { bytes } of linesOf(path)) {
    const row = parseRow(bytes);
    if (row.ok && isUsual(row.value)) {
      row.value.repeat ??= 0;
      yield row.value;
      continue;
    }
    const known = knownSchema.safeParse(row.ok ? row.value : null);
    if (!known.success) return;
    // Not copied, because copying all fields takes longer than parsing the line.
    yield Object.assign((row as { value: object }).value, known.data);
  }
}

/** Whether the schema would not change a line. Faster than the schema, which takes a quarter of the time of parsing. */
function isUsual(value: unknown): value is SampleLine {
  const line = (value ?? {}) as Record<keyof z.infer<typeof knownSchema>, unknown>;
  return (
    typeof line.id === "string" &&
    (line.repeat === undefined || Number.isSafeInteger(line.repeat)) &&
    line.cluster === undefined &&
    (line.outcome === "scored" || line.outcome === "unscored") &&
    typeof line.covered === "boolean" &&
    line.errorClass === undefined &&
    isKnown(line.score) &&
    isKnown(line.latencyMs) &&
    isKnown(line.inputTokens) &&
    isKnown(line.outputTokens) &&
    Number.isSafeInteger(line.attempts)
  );
}

const isKnown = (value: unknown): boolean => value === null || Number.isFinite(value);

function addLine(
  tally: ReturnType<typeof noPoints>,
  suite: Suite,
  seq: number,
  line: SampleLine,
): void {
  const { id, repeat, latencyMs, inputTokens, outputTokens, attempts } = line;
  const { error, score } = scoreOfLine(line);
  const answer = { ...emptyAnswer, latencyMs, inputTokens, outputTokens, attempts, error };
  addPoint(tally, { seq, id, repeat, answer, score }, () => featuresOf(suite, score));
}

/** The score in a line, with the suite's counts and metrics as detail; `error`: why there is no answer. */
export function scoreOfLine(line: SampleLine): {
  score: SampleScore;
  error: Answer["error"];
} {
  const { outcome, covered, errorClass, score } = line;
  const error = covered ? null : { class: errorClass ?? ("missing_answer" as const), message: "" };
  return { score: { status: outcome, score, covered, detail: line }, error };
}

/** The features of a sample; none if the line of an older version lacks values. */
function featuresOf(suite: Suite, score: SampleScore): Readonly<Record<string, number | string>> {
  try {
    return { ...suite.features?.(score) };
  } catch {
    return {};
  }
}

function pickedLines(path: string, seqs: readonly number[]): Map<number, SampleLine> {
  const wanted = new Set(seqs);
  const found = new Map<number, SampleLine>();
  let seq = 0;
  for (const line of readSampleLines(path)) {
    if (wanted.has(seq)) found.set(seq, line);
    seq++;
  }
  return found;
}

/** A table of the numbers and texts in a line, for any suite. */
function figureTable({
  id: _,
  repeat: __,
  outcome: ___,
  cluster: ____,
  ...line
}: SampleLine): TableBlock {
  const known = Object.entries(line).filter(
    ([, value]) =>
      typeof value === "number" || typeof value === "string" || typeof value === "boolean",
  );
  return {
    kind: "table",
    title: "Counts and metrics",
    columns: [
      { id: "name", label: "Name", format: "text" },
      { id: "value", label: "Value", format: "figure" },
    ],
    rows: known.map(([name, value]) => ({
      name,
      value: typeof value === "number" ? `${Number(value.toPrecision(6))}` : `${value}`,
    })),
  };
}
