import type { RunConfig } from "#shared/contracts/run-config.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { loadReportPage } from "../report/load-report-page.ts";
import { openOutput } from "../score/output-file.ts";
import type { JudgedRun } from "./judged-run.ts";
import { junitText } from "./junit-text.ts";
import { reportFormat, usualFormat } from "./report-format.ts";
import { prepareFolder, saveRuns } from "./save-runs.ts";

/** What of runs is to be written, and where to. */
export type RunOutputs = NonNullable<RunConfig["output"]>;

/** Opens what is written in the end. Throws BadInput where that can't be. */
export async function runOutputs(output: RunOutputs) {
  const { results_dir: folder, junit } = output;
  if (folder !== undefined) prepareFolder(folder);
  const saved = savedOf(output);
  // That pages can be drawn here is seen before anything is asked.
  const draw = folder !== undefined && saved.report === "html" ? await loadReportPage() : null;
  let file = junit === undefined ? null : openOutput(junit, []);
  return {
    async complete(service: ServiceClient, judged: readonly JudgedRun[]): Promise<void> {
      file?.add(junitText(judged).trimEnd());
      file?.complete();
      file = null;
      if (folder === undefined) return;
      const runs = judged.map(({ run }) => run);
      await saveRuns(service, runs, folder, { ...saved, draw });
    },
    /** Does nothing once all is written. */
    abandon: () => file?.abandon(),
  };
}

function savedOf(output: RunOutputs) {
  const { save_per_sample: samples = true, save_predictions: answers = false } = output;
  const { generate_report: isAsked = false, report_format: format = usualFormat } = output;
  return { samples, answers, report: isAsked ? reportFormat(format) : null };
}
