import { z } from "zod";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { pricesSchema } from "#shared/contracts/prices.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import { webAddress } from "#shared/contracts/web-address.ts";
import { ownZoneOf, readOwnHosts } from "../security/own-hosts.ts";

const providerSchema = z.strictObject({
  /** Empty: the provider is not used. */
  baseUrl: z.literal("").or(webAddress("must be an address such as https://api.example.com/v1")),
  maxTokensParam: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
  /** It wants no key. */
  keyless: z.boolean().default(false),
  /** A program that plays models. */
  simulated: z.boolean().default(false),
});

/** Providers that need but a key; a deployment may say otherwise of them. */
const known = {
  openai: { baseUrl: "https://api.openai.com/v1", maxTokensParam: "max_completion_tokens" },
  anthropic: { baseUrl: "https://api.anthropic.com/v1" },
  google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" },
};

/** The variable JUDGES of a deployment. */
const judgeSettingsSchema = z.strictObject({
  providers: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), providerSchema).default({}),
  routes: z.record(z.string(), z.string().min(1)).default({}),
  fallback: z.string().default(""),
  models: z.array(z.string()).default([]),
  prices: z.record(z.string(), pricesSchema).default({}),
  concurrency: z.int().min(1).default(50),
  timeoutMs: z.int().min(100).max(300_000).default(60_000),
  maxRetries: z.int().min(0).max(10).default(3),
});

const knownProviders = z.record(z.string(), providerSchema).parse(known);

/** How a deployment's judges are reached; a provider without a key is not among them. */
export interface JudgeSettings extends Omit<z.infer<typeof judgeSettingsSchema>, "providers"> {
  providers: Readonly<Record<string, Omit<Endpoint, "model"> & { simulated: boolean }>>;
}

/** No judges at all. */
export const noJudges: JudgeSettings = { ...judgeSettingsSchema.parse({}), providers: {} };

/**
 * Reads a deployment's judges: the variable JUDGES, a table or its JSON, and for each provider the secret
 * `JUDGE_KEY_<PROVIDER>`. The error says what to change.
 * @example readJudgeSettings({ JUDGES: '{"fallback": 1}' }) // { ok: false, error: "JUDGES /fallback: …" }
 */
export function readJudgeSettings(
  env: Readonly<Record<string, unknown>>,
): Result<JudgeSettings, string> {
  const given = tableOf(env["JUDGES"]);
  if (given === undefined) return err("JUDGES is neither a table nor JSON");
  const parsed = judgeSettingsSchema.safeParse(given);
  if (!parsed.success) {
    const [first] = fieldErrors(parsed.error.issues, given);
    return err(`JUDGES ${first?.pointer}: ${first?.detail}`);
  }
  const { providers: own, ...settings } = parsed.data;
  const inZone = Object.entries(own).find(([, { baseUrl }]) => isInOwnZone(baseUrl, env));
  if (inZone !== undefined) {
    return err(
      `JUDGES /providers/${inZone[0]}/baseUrl: must be outside of this service's own zone`,
    );
  }
  const providers = { ...knownProviders, ...own };
  const offered = Object.entries(providers).flatMap(([name, provider]) => {
    const { baseUrl, maxTokensParam, keyless, simulated } = provider;
    const key = env[keyName(name)];
    const apiKey = typeof key === "string" && key.trim() !== "" ? key.trim() : undefined;
    if (baseUrl === "" || (apiKey === undefined && !keyless)) return [];
    const endpoint = { baseUrl, maxTokensParam, ...(apiKey !== undefined && { apiKey }) };
    return [[name, { ...endpoint, simulated }] as const];
  });
  return ok({ ...settings, providers: Object.fromEntries(offered) });
}

function isInOwnZone(baseUrl: string, env: Readonly<Record<string, unknown>>): boolean {
  if (baseUrl === "" || env["ALLOW_PRIVATE_ENDPOINTS"] === "true") return false;
  const ownHosts = readOwnHosts(String(env["OWN_HOSTS"] ?? ""));
  return ownZoneOf(new URL(baseUrl).hostname, ownHosts) !== null;
}

/**
 * The secret that holds a provider's key.
 * @example keyName("my-proxy") // "JUDGE_KEY_MY_PROXY"
 */
const keyName = (provider: string): string =>
  `JUDGE_KEY_${provider.toUpperCase().replaceAll("-", "_")}`;

function tableOf(given: unknown): unknown {
  if (given === undefined || given === "") return {};
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return undefined;
  }
}
