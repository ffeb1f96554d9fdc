import type { InferenceSettings } from "#shared/contracts/submissions/inference-settings.ts";
import type { ProtocolName } from "#shared/contracts/submissions/providers.ts";

/** The outcome of one check of an endpoint. */
export interface Check {
  id: string;
  label: string;
  /** `no`: not supported, but not required; `skipped`: it could not be tried. */
  outcome: "ok" | "no" | "failed" | "skipped";
  /** The observation. */
  detail: string;
  /** Of a structured-output mode that is accepted: what it enforces. */
  enforced?: "constrained" | "asked for" | "ignored" | "not asked for";
  /** What to do about it; null: nothing. */
  hint: string | null;
  ms: number | null;
}

/** An endpoint to test. */
export interface Target {
  baseUrl: string;
  /** Missing: that of its host. */
  protocol?: ProtocolName | undefined;
  settings?: InferenceSettings | undefined;
  /** Empty: the first one that it lists. */
  model: string;
  /** Null: it needs none. */
  apiKey: string | null;
  /** Sent with every request; secret like the key. */
  headers?: Readonly<Record<string, string>>;
  timeoutMs: number;
}

export const passed = (id: string, label: string, detail: string, ms: number | null): Check => ({
  ...unsupported(id, label, detail, null),
  outcome: "ok",
  ms,
});

export const unsupported = (
  id: string,
  label: string,
  detail: string,
  hint: string | null,
): Check => ({
  id,
  label,
  outcome: "no",
  detail,
  hint,
  ms: null,
});

export const failing = (id: string, label: string, detail: string, hint: string | null): Check => ({
  ...unsupported(id, label, detail, hint),
  outcome: "failed",
});

export const skipping = (id: string, label: string, detail: string): Check => ({
  ...unsupported(id, label, detail, null),
  outcome: "skipped",
});
