import type { RunConfig } from "#shared/contracts/run-config.ts";
import type { ServiceClient } from "../remote/service-client.ts";
import { openOutput } from "../score/output-file.ts";
import type { JudgedRun } from "./judged-run.ts";
import { junitText } from "./junit-text.ts";
import { prepareFolder, saveRuns } from "./save-runs.ts";

/** What of runs is to be written, and where to. */
export type RunOutputs = NonNullable<RunConfig["output"]>;

/** Opens what is written in the end. Throws BadInput where that can't be. */
export function runOutputs(output: RunOutputs) {
  const { results_dir: folder, junit, save_per_sample: samples = true } = output;
  if (folder !== undefined) prepareFolder(folder);
  let file = junit === undefined ? null : openOutput(junit, []);
  return {
    async complete(service: ServiceClient, judged: readonly JudgedRun[]): Promise<void> {
      file?.add(junitText(judged).trimEnd());
      file?.complete();
      file = null;
      if (folder === undefined) return;
      const report = output.generate_report === true && output.report_format === "json";
      const runs = judged.map(({ run }) => run);
      await saveRuns(service, runs, folder, { samples, report });
    },
    /** Does nothing once all is written. */
    abandon: () => file?.abandon(),
  };
}
