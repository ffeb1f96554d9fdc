import type { Metric } from "#shared/contracts/metric.ts";
import type { View } from "#shared/contracts/suite.ts";

/** A suite as GET /v1/suites has it. */
export interface ListedSuite {
  id: string;
  label: string;
  question: string;
  headline: string;
  metrics: Metric[];
  views: View[];
  promptHash: string;
  sweeps: Record<string, string>;
  /** JSON Schema. */
  options: unknown;
}
