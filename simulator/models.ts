import type { Prices } from "../shared/contracts/submissions/prices.ts";
import type { ProfileName } from "./strictness/profiles.ts";

/** How long answers take: lognormal with this median and 95th percentile. */
interface Latency {
  medianMs: number;
  p95Ms: number;
  /** Share of the time that grows with the answer's length; the median is that of 150 tokens. */
  lengthShare: number;
}

/** A simulated model. */
export interface Model {
  id: string;
  /** Scale of its mistake rates: 0 is perfect, and a higher one is always worse. */
  errorScale: number;
  latency: Latency;
  /** What its endpoint accepts. */
  profile: ProfileName;
  /** USD per million tokens. */
  prices: Prices | null;
  /** Takes recordings in messages. */
  hears?: true;
}

const instant: Latency = { medianMs: 0, p95Ms: 0, lengthShare: 0 };

function lognormal(medianMs: number, p95Ms: number): Latency {
  return { medianMs, p95Ms, lengthShare: 0.6 };
}

/** Judges cost the same, and differ in their endpoints and in their leanings. */
function aJudge(id: string, profile: ProfileName): Model {
  const prices = { inputPerMillion: 1, outputPerMillion: 4 };
  return { id, errorScale: 0, latency: lognormal(300, 700), profile, prices };
}

/**
 * Every model. The true order of the demo models, by error scale, is sim-large, sim-medium,
 * sim-small, sim-tiny; sim-equal-a and sim-equal-b differ only by chance. The endpoints of the
 * first three are alike and sim-tiny's enforces less, so that no structured-output mode that is
 * stepped down automatically can turn the order round.
 */
export const models: readonly Model[] = [
  {
    id: "sim-large",
    errorScale: 0.03,
    latency: lognormal(1400, 3000),
    profile: "openai-strict",
    prices: { inputPerMillion: 2.5, outputPerMillion: 10 },
  },
  {
    id: "sim-medium",
    errorScale: 0.16,
    latency: lognormal(800, 1700),
    profile: "openai-strict",
    prices: { inputPerMillion: 0.4, outputPerMillion: 1.6 },
  },
  {
    id: "sim-small",
    errorScale: 0.32,
    latency: lognormal(450, 900),
    profile: "openai-strict",
    prices: { inputPerMillion: 0.1, outputPerMillion: 0.4 },
  },
  {
    id: "sim-tiny",
    errorScale: 0.5,
    latency: lognormal(180, 400),
    profile: "basic",
    prices: { inputPerMillion: 0.02, outputPerMillion: 0.08 },
  },
  {
    id: "sim-equal-a",
    errorScale: 0.2,
    latency: lognormal(500, 1000),
    profile: "vllm",
    prices: null,
  },
  {
    id: "sim-equal-b",
    errorScale: 0.2,
    latency: lognormal(500, 1000),
    profile: "vllm",
    prices: null,
  },
  { id: "sim-perfect", errorScale: 0, latency: lognormal(300, 600), profile: "vllm", prices: null },
  { id: "sim-instant", errorScale: 0, latency: instant, profile: "vllm", prices: null },
  {
    id: "sim-basic",
    errorScale: 0.2,
    latency: lognormal(400, 800),
    profile: "basic",
    prices: null,
  },
  { id: "sim-vllm", errorScale: 0.2, latency: lognormal(400, 800), profile: "vllm", prices: null },
  {
    id: "sim-reasoning",
    errorScale: 0.05,
    latency: lognormal(2500, 6000),
    profile: "reasoning",
    prices: { inputPerMillion: 1.1, outputPerMillion: 4.4 },
  },
  {
    id: "sim-embedding",
    errorScale: 0,
    latency: lognormal(60, 120),
    profile: "vllm",
    prices: null,
  },
  aJudge("sim-judge-a", "openai-strict"),
  aJudge("sim-judge-b", "basic"),
  aJudge("sim-judge-c", "vllm"),
  {
    id: "sim-speech",
    errorScale: 0,
    latency: lognormal(200, 400),
    profile: "vllm",
    prices: null,
  },
  {
    id: "sim-audio",
    errorScale: 0,
    latency: lognormal(300, 600),
    profile: "openai-strict",
    prices: null,
    hears: true,
  },
];
