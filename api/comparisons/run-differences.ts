import { contentHash } from "#shared/contracts/content-hash.ts";
import type { Json } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import type { RunRecord } from "../platform/ports.ts";

/** What of a run says whether it can be compared with others. */
export type RunToCompare = Pick<
  RunRecord,
  | "id"
  | "status"
  | "suite"
  | "datasetName"
  | "datasetVersion"
  | "datasetSamples"
  | "scoringVersion"
  | "promptHash"
  | "options"
  | "total"
>;

/** What has to be the same for two runs to be comparable, in words, and where it stands. */
const traits: readonly { name: string; of: (run: RunToCompare) => Json }[] = [
  { name: "suite", of: (run) => run.suite },
  { name: "dataset", of: (run) => run.datasetName },
  { name: "dataset version", of: (run) => run.datasetVersion },
  { name: "scoring version", of: (run) => run.scoringVersion },
  // Of two prompts that nobody declared it is not known whether they are the same.
  { name: "prompt hash", of: (run) => run.promptHash ?? `not declared for ${run.id}` },
  { name: "sample subset", of: subsetOf },
  { name: "repeats", of: (run) => run.options["repeats"] ?? 1 },
  { name: "structured-output mode", of: (run) => run.options["structuredOutput"] ?? null },
];

/** The drawn subset; null where it is the whole dataset, asked for as a subset or not. */
function subsetOf({ options, datasetSamples }: RunToCompare): Json {
  const subset = options["sample"] as { n: number } | undefined;
  return subset === undefined || subset.n >= datasetSamples ? null : (subset as unknown as Json);
}

/** In what runs differ that makes their scores incomparable, one error a trait. */
export function runDifferences(runs: readonly RunToCompare[]): FieldError[] {
  return traits.flatMap(({ name, of }) => {
    const groups = [...Map.groupBy(runs, (run) => contentHash(of(run))).values()];
    if (groups.length < 2) return [];
    const said = groups.map((alike) => {
      const ids = alike.map(({ id }) => id).join(", ");
      return `${shown(of(alike[0] as RunToCompare))} (${ids})`;
    });
    return [{ parameter: "runs", detail: `the runs differ in ${name}: ${said.join(" against ")}` }];
  });
}

const shown = (value: Json) => (value === null ? "none" : JSON.stringify(value));
