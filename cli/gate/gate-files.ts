import { closeSync, statSync } from "node:fs";
import { parsedJson } from "#shared/contracts/json.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { marginProblem } from "#shared/measures/comparison/margin-tests.ts";
import type { GateRules } from "#shared/measures/gates/gated-runs.ts";
import { nonInferiority } from "#shared/measures/gates/non-inferiority.ts";
import type { ComparedFiles } from "../compare/compare-paths.ts";
import { BadInput } from "../errors.ts";
import { openInput } from "../files/open-file.ts";
import { readLines } from "../files/read-lines.ts";
import { type Gate, labelled, missedOf } from "./gate.ts";
import type { SamplePlace } from "./gate-outputs.ts";
import { committedAt } from "./git.ts";

/** Gates of answer files against the first file, `path`. Throws BadInput for an unknown metric. */
export function gatesOfFiles(
  { comparison, table, ranking, samples }: ComparedFiles,
  { id: suite, metrics }: Suite,
  { margins, minSampleShare }: GateRules,
  path: string,
): Gate[] {
  const known = comparison.metrics.map(({ metric }) => metric);
  const problem = marginProblem(margins, known, metrics);
  if (problem !== null) throw new BadInput(`--non-inferior: ${problem}`);
  const [base = "", ...others] = comparison.runs.map(({ run }) => run);
  return others.map((tested) => {
    const outcomes = [...margins].map(([id, margin]) => {
      const rule = { base, tested, margin, minSampleShare, samples };
      const compared = comparison.metrics.find(({ metric }) => metric === id)!;
      return nonInferiority(table, ranking.find((one) => one.id === id)!, compared, rule);
    });
    return {
      suite,
      dataset: comparison.dataset.name,
      base: { run: null, name: base, at: changedAt(path), from: path },
      tested: { run: null, name: tested },
      changes: [],
      isSimulated: false,
      outcomes: labelled(outcomes, metrics),
    };
  });
}

/** Time of a file's last commit, otherwise of its last change, in ISO format; null for standard input. */
function changedAt(path: string): string | null {
  if (path === "-") return null;
  return committedAt(path) ?? statSync(path).mtime.toISOString();
}

/** Lines of the samples in missed gates, for datasets in JSON Lines only. */
export function placesIn(dataset: string, gates: readonly Gate[]): SamplePlace {
  const wanted = new Set(
    gates.flatMap((gate) => missedOf(gate).flatMap(({ worst }) => worst.map(({ id }) => id))),
  );
  const lines = new Map<string, number>();
  if (wanted.size > 0 && /\.(jsonl|ndjson)$/i.test(dataset)) {
    const { fd } = openInput(dataset);
    try {
      for (const { number, bytes } of readLines(fd, dataset)) {
        const { id } = Object(parsedJson(bytes.toString())) as { id?: unknown };
        if (typeof id === "string" && wanted.has(id)) lines.set(id, number);
        if (lines.size === wanted.size) break;
      }
    } finally {
      closeSync(fd);
    }
  }
  return (id) => {
    const line = lines.get(id);
    return line === undefined ? null : { file: dataset, line };
  };
}
