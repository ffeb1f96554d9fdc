import type { AskedJudge } from "#shared/contracts/judging/judge.ts";
import { answerHash, type RatingTasks, ratedJudges } from "#shared/contracts/judging/rating.ts";
import { sectionsShown } from "#shared/judges/judge-request.ts";
import { hash32 } from "#shared/stats/hash32.ts";
import type { RunWork } from "../engine/run-work.ts";
import { datasetRow } from "../exports/sample-pages.ts";
import type { Platform } from "../platform/platform.ts";
import { type StoredSample, storedBySeq } from "../runs/stored-samples.ts";

/** Raters get answers in blocks of this size; each rater gets a block in a different order. */
const BLOCK = 10;

/** Rows read at once; some may be failed requests. */
const ROWS = 100;

/**
 * The next answers for a rater, for all metrics or the named ones, without the model and its judgments. All raters get
 * the same random choice of answers first, so that raters can be compared and the rated answers are always a random
 * choice. The order differs between raters, so that an answer's position has no effect.
 */
export async function ratingTasks(
  platform: Platform,
  work: RunWork,
  { rater, metrics, limit }: { rater: string; metrics: readonly string[]; limit: number },
): Promise<RatingTasks> {
  const { run, suite, plan } = work;
  const judges = ratedJudges(suite.judging).filter(
    ({ id }) => metrics.length === 0 || metrics.includes(id),
  );
  const root = await platform.ratings.rootOf(run.id);
  const own = Map.groupBy(await platform.ratings.rows(root, rater), ({ seq }) => seq);
  const left = (seq: number) =>
    judges.map(({ id }) => id).filter((id) => !own.get(seq)?.some(({ metric }) => metric === id));
  const order = orderOf(plan.total, root, rater).filter((seq) => left(seq).length > 0);
  const tasks: RatingTasks["tasks"] = [];
  for (let i = 0; i < order.length && tasks.length < limit; i += ROWS) {
    const some = order.slice(i, i + ROWS);
    // A failed request has no answer to rate.
    const rows = (await platform.runs.samplesAt(run.id, some)).filter(({ covered }) => covered);
    const covered = new Map(rows.map((row) => [row.seq, row]));
    const next = some.flatMap((seq) => covered.get(seq) ?? []).slice(0, limit - tasks.length);
    const answers = await storedBySeq(platform.objects, next);
    for (const { seq } of next) {
      const stored = answers.get(seq);
      if (stored === undefined) continue;
      const sections = await sectionsOf(platform, work, judges, stored);
      const { id: sampleId, answer } = stored;
      tasks.push({ sampleId, answerHash: answerHash(answer), sections, metrics: left(seq) });
    }
  }
  const total = run.total - run.failed;
  const rated = [...own.keys()].filter((seq) => left(seq).length === 0).length;
  return { metrics: judges.map(shownMetric), progress: { rated, total }, tasks };
}

const shownMetric = ({ id, label, rubric: { task, levels, notAbout } }: AskedJudge) => {
  const ascending = levels.map(([score, text]): [number, string] => [score, text]);
  return { id, label, task, levels: ascending.sort(([a], [b]) => a - b), notAbout: [...notAbout] };
};

function orderOf(total: number, root: string, rater: string): number[] {
  const seqs = Array.from({ length: total }, (_, seq) => seq);
  const common = sortedBy(seqs, (seq) => hash32(`${root} ${seq}`));
  const blockOf = (place: number) => Math.floor(place / BLOCK) * 2 ** 32;
  return sortedBy(common, (seq, i) => blockOf(i) + hash32(`${root} ${rater} ${seq}`));
}

function sortedBy(seqs: readonly number[], keyOf: (seq: number, place: number) => number) {
  const keyed = seqs.map((seq, i) => [keyOf(seq, i), seq] as const);
  return keyed.sort(([a, first], [b, second]) => a - b || first - second).map(([, seq]) => seq);
}

/** The sections that the judges of these metrics are shown, each once, the answer last; a blank answer has no judge. */
async function sectionsOf(
  platform: Platform,
  work: RunWork,
  judges: readonly AskedJudge[],
  { seq, answer }: StoredSample,
): Promise<RatingTasks["tasks"][number]["sections"]> {
  const { suite, options } = work;
  const checked = suite.checkSample(await datasetRow(platform, work, seq));
  if (!checked.ok) return [];
  const { sample } = checked.value;
  const texts = new Map([["query", suite.sampleText(sample).input]]);
  texts.set("answer", answer.output ?? answer.refusal ?? "");
  for (const { judge, material } of suite.judging?.tasks(sample, answer, options) ?? []) {
    const its = judges.find(({ id }) => id === judge.id);
    for (const { name, text } of its ? sectionsShown(its, material) : []) texts.set(name, text);
  }
  return [...texts]
    .map(([name, text]) => ({ name, text }))
    .sort((a, b) => Number(a.name === "answer") - Number(b.name === "answer"));
}
