import type { ReportBlock, ReportSection } from "../../../contracts/report.ts";
import { defaultOptions } from "../options.ts";
import { extractionReport } from "../report/report.ts";
import { addAnswer, noAnswers } from "../sum/state.ts";
import { summarize } from "../sum/summarize.ts";
import { anAnswer, aSample, aScored } from "./build.ts";

type Scored = Parameters<typeof addAnswer>[1];

/** A run of which nothing is known but its answers. */
export const run = {
  runId: "r",
  options: defaultOptions,
  prices: null,
  wallMs: null,
  points: null,
  timeline: null,
};

/** Summary of such answers. */
export const summaryOf = (samples: readonly Scored[], facts = run) =>
  summarize(samples.reduce(addAnswer, noAnswers()), facts);

/** The report of outputs that should be {"a": 1}. */
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

/** The block of that kind and title, which has to be there. */
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
