import type { ReportSuite } from "#shared/contracts/run-report.ts";
import type { View } from "#shared/contracts/suite.ts";

/** A suite as GET /v1/suites has it. */
export interface ListedSuite extends Omit<ReportSuite, "boardMetrics" | "judges"> {
  views: View[];
  promptHash: string;
  sweeps: Record<string, string>;
  /** JSON Schema. */
  options: unknown;
}
