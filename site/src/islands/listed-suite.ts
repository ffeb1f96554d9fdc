import type { ReportSuite } from "#shared/contracts/run-report.ts";
import type { View } from "#shared/contracts/suite.ts";

/** A suite in the format of GET /v1/suites. */
export interface ListedSuite extends Omit<ReportSuite, "boardMetrics" | "judges"> {
  views: View[];
  promptHash: string;
  sweeps: Record<string, string>;
  /** JSON Schema. */
  options: unknown;
}
