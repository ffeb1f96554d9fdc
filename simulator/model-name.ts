import { err, ok, type Result } from "../shared/contracts/result.ts";
import { type Faults, parseFaults, parseRates } from "./faults/fault-rates.ts";
import {
  constrainRates,
  type Enforcement,
  type MistakeKind,
  type MistakeRates,
  mistakeKinds,
  mistakeRates,
} from "./mistakes/mistakes.ts";
import { type Model, models } from "./models.ts";
import { type ProfileName, profileNames } from "./strictness/profiles.ts";

/** A model with the overrides of its name applied. */
export interface NamedModel extends Model {
  /** The whole requested name, by which the log counts. */
  name: string;
  rates: Record<Enforcement, MistakeRates>;
  /** Null: the simulator's own. */
  faults: Faults | null;
  seed: string | null;
  retryAfterSeconds: number;
  timeoutMs: number;
  /** More requests in flight get 429. */
  maxInFlight: number;
  /** Place of thoughts: in the content or in a separate field; null: no thoughts. */
  thoughts: "inline" | "field" | null;
  /** Value of the header `x-inference-source`; null: no header. */
  source: string | null;
  /** False: the latency is exactly as in the name, ignoring the scale. */
  scaled: boolean;
}

/** Errors of a model's name. */
export type NameError = { kind: "unknown" } | { kind: "invalid"; reason: string };

const byId = new Map(models.map((model) => [model.id, model]));
const keys = [
  "latency",
  "p95",
  "errors",
  "mistakes",
  "faults",
  "seed",
  "profile",
  "retryAfter",
  "timeoutMs",
  "maxInFlight",
  "thoughts",
  "source",
];

/**
 * Finds a model by its name, which may contain overrides.
 * @example findModel("sim-perfect?latency=0&faults=429:0.1,500:0.05&seed=7")
 */
export function findModel(name: string): Result<NamedModel, NameError> {
  const [id = "", ...rest] = name.split("?");
  const model = byId.get(id);
  if (model === undefined) return err({ kind: "unknown" });
  try {
    return ok(applyOverrides(model, name, new URLSearchParams(rest.join("?"))));
  } catch (error) {
    return err({ kind: "invalid", reason: (error as Error).message });
  }
}

function applyOverrides(model: Model, name: string, given: URLSearchParams): NamedModel {
  for (const key of given.keys()) {
    if (!keys.includes(key))
      throw new Error(`unknown override '${key}'; known are ${keys.join(", ")}`);
  }
  const faults = given.get("faults");
  return {
    ...model,
    ...latencyOverride(given),
    name,
    profile: profileOf(given) ?? model.profile,
    rates: ratesByEnforcement(numberOf(given, "errors") ?? model.errorScale, given.get("mistakes")),
    faults: faults === null ? null : parseFaults(faults),
    seed: given.get("seed"),
    retryAfterSeconds: numberOf(given, "retryAfter") ?? 1,
    timeoutMs: numberOf(given, "timeoutMs") ?? 120_000,
    maxInFlight: numberOf(given, "maxInFlight") ?? Number.POSITIVE_INFINITY,
    thoughts: thoughtsOf(given),
    source: given.get("source"),
  };
}

function latencyOverride(given: URLSearchParams) {
  const medianMs = numberOf(given, "latency");
  if (medianMs === null) return { scaled: true };
  const p95Ms = numberOf(given, "p95") ?? medianMs;
  return { scaled: false, latency: { medianMs, p95Ms, lengthShare: 0 } };
}

function ratesByEnforcement(errorScale: number, overrides: string | null): NamedModel["rates"] {
  const rates = parseRates<MistakeKind>(overrides ?? "", mistakeKinds, "mistake");
  const none = { ...mistakeRates(errorScale), ...rates };
  return {
    none,
    json: constrainRates(none, "json"),
    schema: constrainRates(none, "schema"),
  };
}

function thoughtsOf(given: URLSearchParams): NamedModel["thoughts"] {
  const place = given.get("thoughts");
  if (place === null || place === "inline" || place === "field") return place;
  throw new Error(`thoughts must be inline or field, not '${place}'`);
}

function profileOf(given: URLSearchParams): ProfileName | null {
  const name = given.get("profile");
  const profile = profileNames.find((known) => known === name);
  if (name !== null && profile === undefined) {
    throw new Error(`unknown profile '${name}'; known are ${profileNames.join(", ")}`);
  }
  return profile ?? null;
}

function numberOf(given: URLSearchParams, key: string): number | null {
  const text = given.get(key);
  if (text === null) return null;
  const value = Number(text);
  if (text === "" || !(value >= 0))
    throw new Error(`${key} must be a number of at least 0, not '${text}'`);
  return value;
}
