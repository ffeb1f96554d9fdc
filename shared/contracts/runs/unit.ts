import type { Answer } from "../answer.ts";
import type { ChatRequest } from "../chat-request.ts";
import type { StageFindings } from "../judging/judgment.ts";

/** A sample without its body: enough to plan a run. */
export interface SampleHead {
  id: string;
  /** Samples of one group can be made to run in order (sessions of one user); null: no group. */
  group: string | null;
}

/** Samples that must run in order: their positions in the run, and the index of the repeat. */
export interface Unit {
  samples: readonly number[];
  repeat: number;
}

/** A hybrid target: a local endpoint, and a cloud endpoint for low-confidence answers. */
export interface HybridRouting {
  /** Lowest confidence, 0–1, of a local answer that is kept. */
  confidenceThreshold: number;
}

/** The source of a run's answers, as far as the choice of the headline depends on it. */
export interface Target {
  /** Whether it is a hybrid target: a local and a cloud endpoint. */
  isHybrid: boolean;
  /** For submitted answers, the distinct sources they name, null for answers without one; empty for endpoints. */
  sources: readonly (string | null)[];
}

/** A unit with the bodies of its samples, ready to run. */
export interface UnitTask<Sample, Options> {
  samples: readonly Sample[];
  options: Options;
  repeat: number;
  /** Null or missing for a single endpoint. */
  hybrid?: HybridRouting | null;
  /** Results of the suite's stages, by sample; missing for suites without stages. */
  findings?: readonly StageFindings[];
}

/**
 * The next step of a unit: another request, or the end with one answer per sample, in order. `to`: the endpoint of a
 * hybrid target. `sample`: position of the request's sample in the unit; default: the first. `isLong`: whether many
 * requests follow, or one may; then replies are stored in case the unit must be continued later.
 */
export type Step =
  | { kind: "ask"; request: ChatRequest; to?: "local" | "cloud"; sample?: number; isLong?: boolean }
  | { kind: "done"; answers: Answer[] };
