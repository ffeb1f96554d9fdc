import type { Prices } from "../../shared/contracts/submissions/prices.ts";
import { type Draws, drawNormal, drawsFrom } from "../../simulator/draws.ts";

/** A simulated model of the demo: its properties and its behaviour. */
export interface DemoModel {
  slug: string;
  name: string;
  parameters: string;
  prices: Prices | null;
  /** Whether Assay called the model, or answers with a known or an undeclared prompt were uploaded. */
  origin: "called" | "self-reported" | "undeclared";
  /** Share of requests that fail permanently. */
  lostRate: number;
  /** Number of evaluations on each suite. */
  turns: number;
  /** The simulator's model name for a suite, which sets the behaviour. Each turn makes errors on other samples. */
  simulated: (suite: string, turn: number) => string;
}

/** Names that no vendor uses, because the demo does not describe real models. */
const families = [
  "Alder",
  "Aspen",
  "Birch",
  "Cedar",
  "Elm",
  "Fir",
  "Hazel",
  "Holly",
  "Juniper",
  "Larch",
  "Linden",
  "Maple",
  "Oak",
  "Pine",
  "Poplar",
  "Rowan",
  "Sorrel",
  "Spruce",
  "Willow",
  "Yew",
];

/** Billions of parameters, from the most to the least skilled models. */
const sizes = [405, 180, 70, 32, 14, 8, 3, 1];

/** Error rates of the best and the worst model; the others are evenly spaced on a log scale. */
const errors = { best: 0.03, worst: 0.6 };

/** One of every `every` models is evaluated `turns` times. */
const watched = { every: 100, turns: 4 };

/** Models from the most to the least skilled, with small differences between neighbours. */
export const demoModels = (count: number): DemoModel[] =>
  Array.from({ length: count }, (_, i) => demoModel(i, (i + 0.5) / count));

/** `lag`: distance from the best model, 0–1. */
function demoModel(i: number, lag: number): DemoModel {
  const draws = drawsFrom("demo model", i);
  const family = families[i % families.length] as string;
  const generation = 1 + Math.floor(i / families.length);
  const size = sizeOf(lag, draws);
  const latency = latencyOf(lag, draws);
  return {
    slug: `${family.toLowerCase()}/${family.toLowerCase()}-${generation}`,
    name: `${family} ${generation}`,
    parameters: `${size}B`,
    prices: draws.chance(0.1) ? null : pricesOf(lag, draws),
    origin: i % 8 === 5 ? (i % 40 === 13 ? "undeclared" : "self-reported") : "called",
    lostRate: i % 25 === 17 ? 0.12 : i % 6 === 2 ? 0.015 : 0,
    turns: i % watched.every === 0 ? watched.turns : 1,
    simulated: (suite, turn) =>
      nameOf({
        errors: suiteErrors(i, lag, suite),
        ...latency,
        seed: turn === 0 ? `${i}` : `${i}, turn ${turn}`,
        ...(i % 5 === 4 && { profile: "basic" }),
        ...(size <= 8 && i % 2 === 0 && { source: "on-device" }),
      }),
  };
}

const nameOf = (settings: Record<string, string>) => `sim-vllm?${new URLSearchParams(settings)}`;

/** The error rate on a suite varies around the model's skill. */
function suiteErrors(i: number, lag: number, suite: string): string {
  const luck = Math.exp(0.25 * drawNormal(drawsFrom("demo suite", i, suite)));
  return (errors.best * (errors.worst / errors.best) ** lag * luck).toFixed(4);
}

function sizeOf(lag: number, draws: Draws): number {
  const place = Math.round(lag * (sizes.length - 1) + 0.8 * drawNormal(draws));
  return sizes[Math.max(0, Math.min(sizes.length - 1, place))] as number;
}

/** Skilled models are usually slower. */
function latencyOf(lag: number, draws: Draws): { latency: string; p95: string } {
  const medianMs = 150 * 12 ** (1 - lag) * Math.exp(0.35 * drawNormal(draws));
  const p95Ms = medianMs * (1.6 + 1.4 * draws.unit());
  return { latency: medianMs.toFixed(0), p95: p95Ms.toFixed(0) };
}

/** Skilled models are usually more expensive. USD per million tokens. */
function pricesOf(lag: number, draws: Draws): DemoModel["prices"] {
  const outputPerMillion = 0.1 * 120 ** (1 - lag) * Math.exp(0.5 * drawNormal(draws));
  const rounded = (price: number) => Number(price.toPrecision(2));
  return {
    inputPerMillion: rounded(outputPerMillion / 4),
    outputPerMillion: rounded(outputPerMillion),
  };
}
