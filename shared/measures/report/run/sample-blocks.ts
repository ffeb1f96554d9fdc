import type { ReportBlock } from "../../../contracts/report.ts";
import type { Run, SampleResult } from "../../../contracts/run.ts";
import type { Suite } from "../../../contracts/suite.ts";
import { withoutThoughts } from "../../thoughts/without-thoughts.ts";
import { note } from "../charts/blocks.ts";
import { readStored } from "./read-stored.ts";

const older = note(
  "Can't be shown",
  "This sample was scored by an older version of the suite, whose details this version does not read. The API has the complete data.",
);

/**
 * A stored sample with its answer and score as its suite shows them; a note if an older version of the suite stored
 * them in a form that this version can't read.
 * @example sampleBlocks(suite, run, result)[0]?.kind // "text"
 */
export function sampleBlocks(
  suite: Suite,
  run: Pick<Run, "suiteVersion">,
  { sample, answer, detail, status, score }: SampleResult,
): ReportBlock[] {
  const checked = suite.checkSample(sample);
  if (!checked.ok) return [older];
  const earned = {
    status: status === "answered" ? ("unscored" as const) : status,
    score,
    detail: detail ?? null,
  };
  const shown = { sample: checked.value.sample, answer: withoutThoughts(answer), score: earned };
  return readStored(suite, run, () => suite.showSample(shown), [older]);
}
