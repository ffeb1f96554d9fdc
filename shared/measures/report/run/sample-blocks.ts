import type { ReportBlock } from "../../../contracts/report.ts";
import type { Run, SampleResult } from "../../../contracts/run.ts";
import type { SampleToShow, Suite } from "../../../contracts/suite.ts";
import { withoutThoughts } from "../../thoughts/without-thoughts.ts";
import { note } from "../charts/blocks.ts";
import { readStored } from "./read-stored.ts";

const older = note(
  "Can't be shown",
  "This sample was scored by an older version of the suite, whose details this version does not read. The API has the complete data.",
);

/** A stored sample in the form for `showSample`; null if this version of the suite does not accept the sample. */
export function sampleToShow(
  suite: Suite,
  { sample, answer, detail, status, score }: Pick<SampleResult, Shown>,
): SampleToShow<unknown, unknown> | null {
  const checked = suite.checkSample(sample);
  if (!checked.ok) return null;
  const earned = {
    status: status === "answered" ? ("unscored" as const) : status,
    score,
    detail: detail ?? null,
  };
  return { sample: checked.value.sample, answer: withoutThoughts(answer), score: earned };
}

type Shown = "sample" | "answer" | "detail" | "status" | "score";

/**
 * A stored sample with its answer and score as its suite shows them; a note if an older version of the suite stored
 * them in a form that this version can't read. `isWhole`: for the sample's page.
 * @example sampleBlocks(suite, run, result)[0]?.kind // "text"
 */
export function sampleBlocks(
  suite: Suite,
  run: Pick<Run, "suiteVersion">,
  result: SampleResult,
  { isWhole = false } = {},
): ReportBlock[] {
  const shown = sampleToShow(suite, result);
  if (shown === null) return [older];
  return readStored(suite, run, () => suite.showSample({ ...shown, isWhole }), [older]);
}
