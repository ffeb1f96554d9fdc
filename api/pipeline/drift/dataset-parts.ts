import type { Drift, DriftPart } from "#shared/contracts/drift.ts";
import type { RunScores } from "#shared/contracts/run-scores.ts";
import { addRun, scoreTable } from "#shared/measures/comparison/score-table.ts";
import { pairedChange } from "#shared/measures/drift/paired-change.ts";
import { choose } from "#shared/stats/choose.ts";
import type { Ports, RunRecord } from "../ports.ts";
import { headlineOf } from "./hold-against.ts";
import { readCovered } from "./read-covered.ts";

/** Samples whose rows are held against each other: reading them all would take a large dataset's time. */
const MOST_ROWS = 1_000;

/**
 * What became of a score where the dataset has another version than the reference's: on samples that both
 * have with the same row, the change is put to the model; what remains of the change of the whole, to the
 * dataset.
 */
export async function datasetParts(
  ports: Ports,
  run: RunRecord,
  reference: RunRecord,
): Promise<Pick<Drift, "againstReference" | "parts">> {
  const suite = ports.suites.byId(run.suite);
  const isSameScoring = run.scoringVersion === reference.scoringVersion;
  const whole = (one: RunRecord) => one.metrics?.[one.headline]?.value ?? null;
  const [now, then] = [whole(run), whole(reference)];
  if (!suite || !isSameScoring || now === null || then === null) {
    return { againstReference: null, parts: [] };
  }
  const metric = headlineOf(suite);
  const same = await unchangedSamples(ports, run, reference);
  const [fresh, frozen] = [await readCovered(ports, run), await readCovered(ports, reference)];
  const table = scoreTable(only(frozen, same));
  addRun(table, run.id, only(fresh, same));
  addRun(table, reference.id, only(frozen, same));
  const change = pairedChange(table, metric, run.id, reference.id);
  if (change === null) return { againstReference: null, parts: [] };
  const { n, difference, interval } = change;
  const model: DriftPart = { cause: "model", n, difference, interval };
  const rest: DriftPart = {
    ...{ cause: "dataset", n: fresh.ids.length - fresh.lacking.length },
    ...{ difference: now - then - difference, interval: null },
  };
  return { againstReference: change, parts: [rest, model] };
}

/** Without the samples that are not in `ids`. */
function only(scores: RunScores, ids: ReadonlySet<string>): RunScores {
  const lacking = scores.ids.flatMap((id, i) => (ids.has(id) ? [] : [i]));
  return { ...scores, lacking: [...new Set([...scores.lacking, ...lacking])] };
}

/** Ids of samples whose rows are the same in both versions, of a thousand at the most. */
async function unchangedSamples(
  { datasets }: Ports,
  run: RunRecord,
  reference: RunRecord,
): Promise<ReadonlySet<string>> {
  const [now, then] = await Promise.all(
    [run, reference].map((one) => datasets.index(one.suite, one.datasetVersion)),
  );
  const places = new Map((then?.heads ?? []).map(({ id }, position) => [id, position]));
  const common = (now?.heads ?? []).flatMap(({ id }, position) => {
    const before = places.get(id);
    return before === undefined ? [] : [{ id, position, before }];
  });
  const same = new Set<string>();
  for (const at of choose(common.length, MOST_ROWS, reference.id)) {
    const { id, position, before } = common[at]!;
    const rows = [
      await datasets.row(run.suite, run.datasetVersion, position),
      await datasets.row(run.suite, reference.datasetVersion, before),
    ];
    if (JSON.stringify(rows[0]) === JSON.stringify(rows[1])) same.add(id);
  }
  return same;
}
