import type { Metric } from "#shared/contracts/metric.ts";
import type { Caution, View } from "#shared/contracts/suite.ts";

/** A suite as GET /v1/suites has it. */
export interface ListedSuite {
  id: string;
  label: string;
  question: string;
  headline: string;
  metrics: Metric[];
  views: View[];
  caution: Caution | null;
  promptHash: string;
  sweeps: Record<string, string>;
  /** JSON Schema. */
  options: unknown;
}
