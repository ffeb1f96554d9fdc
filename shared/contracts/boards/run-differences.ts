import { contentHash } from "../content-hash.ts";
import type { Json } from "../json.ts";

/** The fields that decide whether a run is comparable with others. */
export interface ComparableRun {
  id: string;
  suite: string;
  datasetName: string;
  datasetVersion: string;
  /** Samples of the whole dataset version. */
  datasetSamples: number;
  scoringVersion: string;
  /** Null: not declared, so it may differ from any other prompt. */
  promptHash: string | null;
  options: Readonly<Record<string, unknown>>;
}

/** Traits that comparable runs must share, each with its name in messages. */
const traits: readonly { name: string; of: (run: ComparableRun) => Json }[] = [
  { name: "suite", of: (run) => run.suite },
  { name: "dataset", of: (run) => run.datasetName },
  { name: "dataset version", of: (run) => run.datasetVersion },
  { name: "scoring version", of: (run) => run.scoringVersion },
  // Undeclared prompts may differ, so each is a distinct value.
  { name: "prompt hash", of: (run) => run.promptHash ?? `not declared for ${run.id}` },
  { name: "sample subset", of: subsetOf },
  { name: "repeats", of: ({ options }) => (options["repeats"] ?? 1) as Json },
  {
    name: "structured-output mode",
    of: ({ options }) => (options["structuredOutput"] ?? null) as Json,
  },
];

/** The drawn subset; null for the whole dataset, even if requested as a subset. */
function subsetOf({ options, datasetSamples }: ComparableRun): Json {
  const subset = options["sample"] as { n: number } | undefined;
  return subset === undefined || subset.n >= datasetSamples ? null : (subset as unknown as Json);
}

/** Traits that may differ between runs whose answers are judged again: each run is compared with its own judgings. */
const judgedAgain = ["scoring version", "prompt hash", "structured-output mode"];

/**
 * A sentence for each trait in which runs differ, so that their scores can't be compared; empty if they can.
 * `areJudgings`: their answers were judged again, so the scoring may differ.
 * @example runDifferences([run, { ...run, suite: "slots" }])[0] // "the runs differ in suite: …"
 */
export function runDifferences(runs: readonly ComparableRun[], areJudgings = false): string[] {
  return traits.flatMap(({ name, of }) => {
    if (areJudgings && judgedAgain.includes(name)) return [];
    const groups = [...Map.groupBy(runs, (run) => contentHash(of(run))).values()];
    if (groups.length < 2) return [];
    const said = groups.map((alike) => {
      const ids = alike.map(({ id }) => id).join(", ");
      return `${shown(of(alike[0] as ComparableRun))} (${ids})`;
    });
    return [`the runs differ in ${name}: ${said.join(" and ")}`];
  });
}

const shown = (value: Json) => (value === null ? "none" : JSON.stringify(value));
