import { z } from "zod";
import type { InferenceSettings } from "#shared/contracts/submissions/inference-settings.ts";
import type { ProtocolName } from "#shared/contracts/submissions/providers.ts";

/** The outcome of one check of an endpoint. */
export const checkSchema = z.object({
  id: z.string(),
  label: z.string(),
  outcome: z.enum(["ok", "no", "failed", "skipped"]).meta({
    description: "no: not supported, but not required; skipped: it could not be tried",
  }),
  detail: z.string().meta({ description: "the observation" }),
  enforced: z
    .enum(["constrained", "asked for", "ignored", "not asked for"])
    .exactOptional()
    .meta({ description: "of a structured-output mode that is accepted: what it enforces" }),
  hint: z.string().nullable().meta({ description: "what to do about it; null: nothing" }),
  ms: z.number().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

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
