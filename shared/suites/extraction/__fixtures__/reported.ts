import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { defaultOptions } from "../options.ts";
import { extractionReport } from "../report/report.ts";
import { addAnswer, noAnswers } from "../sum/state.ts";
import { summarize } from "../sum/summarize.ts";
import { anAnswer, aSample, aScored } from "./build.ts";

type Scored = Parameters<typeof addAnswer>[1];

/** A run of which only the answers are known. */
export const run = {
  runId: "r",
  options: defaultOptions,
  prices: null,
  wallMs: null,
  points: null,
  timeline: null,
};

/** Summary of a run with these answers. */
export const summaryOf = (samples: readonly Scored[], facts = run) =>
  summarize(samples.reduce(addAnswer, noAnswers()), facts);

/** The report of outputs whose expected output is {"a": 1}. */
export const reportOf = (outputs: string[]) =>
  extractionReport(
    summaryOf(
      outputs.map((output, seq) =>
        aScored(seq, aSample({ a: 1 }, { id: `${seq}` }), anAnswer(output)),
      ),
    ),
    run,
  );

type BlockOf<Kind extends ReportBlock["kind"]> = Extract<ReportBlock, { kind: Kind }>;

/** The block with a kind and title; throws if it is missing. */
export function blockIn<Kind extends ReportBlock["kind"]>(
  report: readonly ReportSection[],
  kind: Kind,
  title: string | RegExp,
): BlockOf<Kind> {
  const found = report
    .flatMap(({ blocks }) => blocks)
    .find((block) => block.kind === kind && block.title.match(title) !== null);
  if (found === undefined) throw new Error(`no ${kind} ${title}`);
  return found as BlockOf<Kind>;
}
