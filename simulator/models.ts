import type { Prices } from "../shared/contracts/submissions/prices.ts";
import type { ProfileName } from "./strictness/profiles.ts";

/** Lognormal distribution of latencies with this median and 95th percentile. */
interface Latency {
  medianMs: number;
  p95Ms: number;
  /** Share of the latency that is proportional to length; the median is for 150 tokens. */
  lengthShare: number;
}

/** A simulated model. */
export interface Model {
  id: string;
  /** Scale of its mistake rates: 0 is perfect, higher is worse. */
  errorScale: number;
  latency: Latency;
  /** What its endpoint accepts. */
  profile: ProfileName;
  /** USD per million tokens. */
  prices: Prices | null;
  /** Accepts recordings in messages. */
  hears?: true;
}

const instant: Latency = { medianMs: 0, p95Ms: 0, lengthShare: 0 };

function lognormal(medianMs: number, p95Ms: number): Latency {
  return { medianMs, p95Ms, lengthShare: 0.6 };
}

/** A model; `prices` are USD per million tokens, in and out. */
function aModel(
  id: string,
  errorScale: number,
  latency: Latency,
  profile: ProfileName,
  prices?: readonly [number, number],
): Model {
  const [inputPerMillion, outputPerMillion] = prices ?? [0, 0];
  const priced = prices ? { inputPerMillion, outputPerMillion } : null;
  return { id, errorScale, latency, profile, prices: priced };
}

/** Judges have equal prices, but different endpoints and biases. */
const aJudge = (id: string, profile: ProfileName): Model =>
  aModel(id, 0, lognormal(300, 700), profile, [1, 4]);

/**
 * All models. The true ranking of the demo models, by error scale: sim-large, sim-medium, sim-small, sim-tiny;
 * sim-equal-a and sim-equal-b differ only by chance. The endpoints of the first three are equal and sim-tiny's enforces
 * less, so that fallbacks of the structured-output mode can't change the ranking.
 */
export const models: readonly Model[] = [
  aModel("sim-large", 0.03, lognormal(1400, 3000), "openai-strict", [2.5, 10]),
  aModel("sim-medium", 0.16, lognormal(800, 1700), "openai-strict", [0.4, 1.6]),
  aModel("sim-small", 0.32, lognormal(450, 900), "openai-strict", [0.1, 0.4]),
  aModel("sim-tiny", 0.5, lognormal(180, 400), "basic", [0.02, 0.08]),
  aModel("sim-equal-a", 0.2, lognormal(500, 1000), "vllm"),
  aModel("sim-equal-b", 0.2, lognormal(500, 1000), "vllm"),
  aModel("sim-perfect", 0, lognormal(300, 600), "vllm"),
  aModel("sim-instant", 0, instant, "vllm"),
  aModel("sim-basic", 0.2, lognormal(400, 800), "basic"),
  aModel("sim-vllm", 0.2, lognormal(400, 800), "vllm"),
  aModel("sim-reasoning", 0.05, lognormal(1200, 2600), "reasoning", [1.1, 4.4]),
  aModel("sim-embedding", 0, lognormal(60, 120), "vllm"),
  aJudge("sim-judge-a", "openai-strict"),
  aJudge("sim-judge-b", "basic"),
  aJudge("sim-judge-c", "vllm"),
  aModel("sim-speech", 0, lognormal(200, 400), "vllm"),
  { ...aModel("sim-audio", 0, lognormal(300, 600), "openai-strict"), hears: true },
];
