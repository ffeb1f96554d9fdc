import { createHash } from "node:crypto";
import { optionsFor } from "#shared/contracts/boards/ranking.ts";
import { textHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { RunFacts, Suite, Summary } from "#shared/contracts/suite.ts";
import { BadInput, badLine, type LinesOf, placeIn } from "../errors.ts";
import type { OpenFile } from "../files/open-file.ts";
import { RowNotes } from "../files/row-notes.ts";
import { AnswerIndex } from "./answer-index.ts";
import { type AdmittedRow, noUsableSample, SampleReader } from "./read-samples.ts";
import { blocksOf, lineBytes, scoreBlock } from "./row-block.ts";
import type { RowScore, ScoringRules } from "./score-row.ts";
import { ScoringThreads } from "./scoring-threads.ts";

/** One answer's score, in the dataset's order. */
interface ScoredAnswer extends Pick<RowScore, "given" | "repeat" | "score" | "call" | "line"> {
  id: string;
  tags: Readonly<Record<string, string>>;
  repeats: number;
}

/** The input of a scoring, and callbacks for scores. */
export interface ScoringTask {
  suite: Suite;
  options: unknown;
  dataset: OpenFile;
  answers: OpenFile;
  prices: RunFacts<unknown>["prices"];
  /** Whether a line per answer is created, optionally with the verdict on each field; default: no lines. */
  lines?: ScoringRules["lines"];
  /** Threads that score in addition to this one; not together with `onSample`. */
  threads?: ScoringThreads;
  /** Called with each sample's unchanged row and its bytes, before its answers. */
  onSample?(row: Json, bytes: Buffer): void;
  onScore(scored: ScoredAnswer): void;
}

/** The result of scoring. */
export interface ScoredFiles {
  /** Options, including those that follow from the sources of answers. */
  options: unknown;
  samples: number;
  /** Units of resampling: clusters if samples share sources. */
  units: "samples" | "clusters";
  /** Expected answers per sample. */
  repeats: number;
  /** Number of missing answers. */
  missing: number;
  /** Number of answers without text or calls, which score 0. */
  empty: number;
  /** Number of answers that could not be scored; each sample's line has the reason. */
  unscored: number;
  malformed: RowNotes;
  warnings: RowNotes;
  /** Warnings on answers, in the dataset's order. */
  answerWarnings: RowNotes;
  prices: RunFacts<unknown>["prices"];
  /** SHA-256 of the samples in the order of the file. */
  datasetHash: string;
  /** Seeds the bootstrap: a hash of the samples and their answers, in the dataset's order. */
  runId: string;
  summary: Summary;
}

/**
 * Scores a file of answers like the service. Samples are read one by one, with their answers; only the suite's
 * aggregate and about 60 bytes per sample stay in memory. Throws BadInput for invalid input.
 */
export async function scoreFiles(task: ScoringTask): Promise<ScoredFiles> {
  const { suite, answers, prices } = task;
  const repeats = repeatsOf(suite, task.options);
  const index = await AnswerIndex.of(answers, suite, repeats);
  const options = optionsFor(suite, task.options, { isHybrid: false, sources: [...index.sources] });
  const rules: ScoringRules = { suite, options, repeats, lines: task.lines ?? null };
  const reader = new SampleReader(suite, index.ids, task.dataset);
  const sums = new RunSums(task, rules, index);
  for await (const { block, rows } of scoredBlocks(task, rules, index)) {
    for (const [i, { row, scores }] of rows.entries()) {
      const line = block.lines[i]!;
      if (reader.takes(row, line.number)) sums.add(row, lineBytes(block, line), scores);
    }
  }
  refuseMisfits(task, index, reader, sums.counts.samples);
  const { malformed, warnings } = reader;
  return { options, repeats, malformed, warnings, prices, ...sums.counts, ...sums.finish() };
}

function scoredBlocks(task: ScoringTask, rules: ScoringRules, index: AnswerIndex) {
  const { suite, ...plain } = rules;
  const ofThreads = { ...plain, suiteId: suite.id, index: index.stateOf(task.answers) };
  const threads = task.threads ?? new ScoringThreads(0);
  return threads.score(blocksOf(task.dataset), ofThreads, (block) =>
    scoreBlock(rules, block, index),
  );
}

type UsedRow = AdmittedRow & { ok: true; row?: Json };

/** Sums over scored samples, in the dataset's order. */
class RunSums {
  readonly counts = {
    samples: 0,
    units: "samples" as ScoredFiles["units"],
    missing: 0,
    empty: 0,
    unscored: 0,
    answerWarnings: new RowNotes(),
  };
  readonly #task: ScoringTask;
  readonly #rules: ScoringRules;
  readonly #index: AnswerIndex;
  readonly #hashes = [createHash("sha256"), createHash("sha256")] as const;
  #state: unknown;

  constructor(task: ScoringTask, rules: ScoringRules, index: AnswerIndex) {
    [this.#task, this.#rules, this.#index] = [task, rules, index];
    this.#state = rules.suite.aggregate.empty(rules.options);
  }

  add({ head, row }: UsedRow, bytes: Buffer, scores: readonly RowScore[]): void {
    this.#hashes[0].update(bytes);
    for (const answer of this.#index.bytesOf(head.id)) this.#hashes[1].update(answer);
    this.#task.onSample?.(row!, bytes);
    for (const score of scores) this.#addAnswer(head, score);
    this.counts.samples++;
    if (head.tags["cluster"] !== undefined) this.counts.units = "clusters";
  }

  #addAnswer(
    { id, tags }: UsedRow["head"],
    { flaws, answerLine, isEmpty, ...scored }: RowScore,
  ): void {
    const { counts } = this;
    const { suite, repeats } = this.#rules;
    const { score, call, repeat } = scored;
    counts.missing += Number(!scored.given);
    counts.unscored += Number(score.status === "unscored");
    counts.empty += Number(isEmpty);
    for (const reason of flaws) counts.answerWarnings.add({ line: answerLine, id, reason });
    this.#task.onScore({ ...scored, id, tags, repeats });
    const seq = counts.samples * repeats + repeat;
    this.#state = suite.aggregate.add(this.#state, { seq, id, tags, score, call });
  }

  finish(): Pick<ScoredFiles, "datasetHash" | "runId" | "summary"> {
    const { suite, options } = this.#rules;
    const datasetHash = this.#hashes[0].digest("hex");
    const runId = textHash(`${datasetHash}\n${this.#hashes[1].digest("hex")}`);
    const { prices } = this.#task;
    const summary = suite.aggregate.finish(this.#state, { runId, options, prices, wallMs: null });
    return { datasetHash, runId, summary };
  }
}

/** Number of answers that the suite expects per sample. */
function repeatsOf(suite: Suite, options: unknown): number {
  const units = suite.plan([{ id: "a sample", group: null }], options);
  return Math.max(
    1,
    units.reduce((sum, unit) => sum + unit.samples.length, 0),
  );
}

/**
 * Throws BadInput without samples or answers. An answer without a sample was made for another
 * dataset.
 */
function refuseMisfits(
  { dataset, answers }: ScoringTask,
  index: AnswerIndex,
  reader: SampleReader,
  samples: number,
): void {
  if (samples === 0) throw noUsableSample(dataset, reader.malformed);
  if (index.rows === 0) throw new BadInput(`${answers.name}: no answers found`);
  let [first, count] = [-1, 0];
  for (let number = index.answered - 1; number >= 0; number--) {
    if (reader.has(number)) continue;
    first = number;
    count++;
  }
  if (first < 0) return;
  const { line, id } = index.whereIs(first);
  const more = count > 1 ? `, nor for ${count - 1} more` : "";
  const reason = `the dataset has no sample with the id ${JSON.stringify(id)}${more}`;
  throw badLine(answers, line, `${reason}${unread(dataset, reader.malformed)}`);
}

/** Hint that a row without a readable id may be the missing sample. */
function unread(dataset: LinesOf, { kept }: RowNotes): string {
  const first = kept.find(({ id }) => id === null);
  return first === undefined
    ? ""
    : `; it may be in ${placeIn(dataset, first.line)}: ${first.reason}`;
}
