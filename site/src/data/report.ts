import type { Json } from "#shared/contracts/json.ts";
import type { ReportSection } from "#shared/contracts/report.ts";
import type { Run } from "#shared/contracts/run.ts";
import { runOptionsSchema } from "#shared/contracts/submission.ts";
import { suiteById } from "./suites.ts";

/** What the run's suite draws of it; nothing for an unfinished run or a suite this build lacks. */
export function reportSections(run: Run): ReportSection[] {
  const suite = suiteById(run.suite);
  if (!suite || !run.metrics || run.breakdown === null || run.breakdown === undefined) return [];
  const options = suite.optionsSchema.parse(suiteOptions(run.options));
  return suite.report({ metrics: run.metrics, breakdown: run.breakdown as Json }, { options });
}

/** A run's options without those that every suite has: suites refuse names they don't know. */
const suiteOptions = (options: Run["options"]): Run["options"] =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in runOptionsSchema.shape)));
