import type OpenAI from "openai";
import { z } from "zod";
import { type ListedModel, modelsPath, readModels } from "#shared/connection/listed-models.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import { fieldErrors } from "#shared/contracts/field-errors.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import type { Route } from "#shared/contracts/judging/judge.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import { type Prices, pricesSchema } from "#shared/contracts/submissions/prices.ts";
import {
  batchInterfaces,
  protocolAt,
  protocols,
  providerOf,
} from "#shared/contracts/submissions/providers.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import { webAddress } from "#shared/contracts/text/web-address.ts";
import type { JudgeDeployment } from "#shared/judges/choose-judges.ts";
import { defaultPrices } from "#shared/judges/default-models.ts";
import { ownZoneOf, readOwnHosts } from "../security/own-hosts.ts";
import { type AskModel, modelClient, type Reply } from "./ask-model.ts";
import { embedOnce, speakOnce } from "./embed-and-speak.ts";
import { type EndpointMemory, endpointMemory } from "./endpoint-memory.ts";
import { type Attempt, type RequestBounds, requestOnce } from "./request-once.ts";
import { type AskLimits, noCalls, postponedBy, retrying, type Surroundings } from "./retrying.ts";

/** Knowledge about judges in this isolate, by provider and model. */
const learnt = new Map<string, EndpointMemory>();

export type JudgeClient = ReturnType<typeof judgeClient>;

/** The judges from the deployment's variables and secrets, called with the SDK. Calls throw only `Postponed`. */
export function judgeClient(env: Readonly<Record<string, unknown>>, around: Surroundings) {
  const read = readJudgeSettings(env);
  const settings = read.ok ? read.value : noJudges;
  const { providers, routes, fallback, models, concurrency } = settings;
  const { timeoutMs, maxRetries } = settings;
  const asking =
    (askFor: (route: Route) => AskModel) =>
    (
      route: Route,
      request: ChatRequest,
      limits: AskLimits,
      memory: EndpointMemory,
    ): Promise<Reply> =>
      remembering(route, memory, (own) => askFor(route)(endpointOf(route), request, limits, own));
  const live = modelClient(around);
  const endpointOf = ({ provider, model }: Route): Endpoint => {
    const endpoint = providers[provider];
    if (endpoint === undefined) throw new Error(`judge provider ${provider} no longer has a key`);
    const { simulated: _, ...its } = endpoint;
    const usual = protocolAt(its.baseUrl);
    // Judges may get recordings, which OpenAI accepts only in Chat Completions.
    return { protocol: usual === "responses" ? "chat_completions" : usual, ...its, model };
  };
  /** Google has embeddings and speech in this form only in its OpenAI-compatible layer. */
  const openaiEndpointOf = (route: Route): Endpoint => {
    const { protocol, baseUrl, ...its } = endpointOf(route);
    const layer = protocol === "generate_content" ? "/openai" : "";
    return { ...its, baseUrl: `${baseUrl}${layer}`, protocol: "chat_completions" };
  };
  /** Sends a request other than a chat; `until`: the judge accepts no call before. */
  const once = <Value>(
    route: Route,
    limits: AskLimits,
    memory: EndpointMemory,
    send: () => Promise<Attempt<Value>>,
  ) =>
    remembering(route, memory, async (own) => {
      const calls = noCalls(around.now());
      const attempt = await retrying({ around, limits, memory: own, calls }, send);
      const waitMs = attempt.ok ? null : postponedBy(attempt.failure, limits);
      const until = waitMs === null ? null : around.now() + waitMs;
      return { attempt, attempts: calls.attempts, until };
    });
  const deployment: JudgeDeployment = {
    providers: Object.keys(providers),
    routes,
    fallbackJudge: fallback === "" ? null : fallback,
  };
  return {
    /** Why no judge can be called (unreadable settings); null if they can. */
    problem: read.ok ? null : read.error,
    deployment,
    /** Providers that are simulated by a program. */
    simulated: Object.keys(providers).filter((name) => providers[name]!.simulated),
    /** Additional models that runs may name; null: any. */
    models: models.includes("*") ? null : models,
    /** USD per million tokens; undefined if unknown. The maker's price applies only at the maker's address. */
    priceOf({ provider, model }: Route): Prices | undefined {
      const isMakers = providers[provider]?.baseUrl === knownProviders[provider]?.baseUrl;
      return settings.prices[model] ?? (isMakers ? defaultPrices[model] : undefined);
    },
    /** Maximum requests in flight, over all runs. */
    concurrency,
    limits: { timeoutMs, maxRetries },

    /** `memory` records overloads and refused parameters. */
    ask: asking(() => live),
    /** Like `ask`, with other clients. */
    askBy: asking,
    /** A judge's endpoint, with its key. Throws if the deployment has no key. */
    endpointOf,

    async embed(
      route: Route,
      texts: readonly string[],
      limits: AskLimits,
      memory: EndpointMemory,
    ): Promise<EmbedReply> {
      const send = () => embedOnce(openaiEndpointOf(route), texts, limits.timeoutMs, around.now);
      const { attempt, attempts, until } = await once(route, limits, memory, send);
      if (until !== null) return { kind: "postponed", until };
      const counts = { attempts, latencyMs: attempt.ok ? attempt.value.latencyMs : 0 };
      if (attempt.ok) return { kind: "vectors", ...attempt.value.value, error: null, ...counts };
      const { class: name, message } = attempt.failure;
      const error = { class: name, message };
      return { kind: "vectors", vectors: null, error, inputTokens: null, ...counts };
    },

    async speak(
      route: Route,
      text: string,
      limits: AskLimits,
      memory: EndpointMemory,
    ): Promise<SpeakReply> {
      const send = () => speakOnce(openaiEndpointOf(route), text, limits.timeoutMs, around.now);
      const { attempt, attempts, until } = await once(route, limits, memory, send);
      if (until !== null) return { kind: "postponed", until };
      return attempt.ok
        ? { kind: "recording", ...attempt.value.value, error: null, attempts }
        : {
            kind: "recording",
            recording: null,
            seconds: 0,
            error: attempt.failure.class,
            attempts,
          };
    },

    /** The models that a provider lists; a string states why it lists none. Never throws. */
    list: (provider: string): Promise<ListedModel[] | string> =>
      listModels(endpointOf({ provider, model: "" }), timeoutMs, around.now),
  };
}

/** Calls with the shared knowledge of the endpoint, and adds what is new to `memory`. */
async function remembering<Value>(
  { provider, model }: Route,
  memory: EndpointMemory,
  call: (own: EndpointMemory) => Promise<Value>,
): Promise<Value> {
  const name = `${provider}:${model}`;
  const known = learnt.get(name) ?? endpointMemory();
  learnt.set(name, known);
  const own: EndpointMemory = { ...known, requests: memory.requests, overloads: 0, notes: [] };
  try {
    return await call(own);
  } finally {
    memory.overloads += own.overloads;
    memory.notes.push(...own.notes.map((note) => `judge ${model}: ${note}`));
  }
}

/** Vectors of texts; `error`: why there are none. */
type EmbedReply =
  | { kind: "postponed"; until: number }
  | {
      kind: "vectors";
      vectors: number[][] | null;
      error: { class: string; message: string } | null;
      inputTokens: number | null;
      latencyMs: number;
      /** Number of HTTP calls, including retries. */
      attempts: number;
    };

/** A recording of a text; null if that failed. */
export type SpeakReply =
  | { kind: "postponed"; until: number }
  | {
      kind: "recording";
      recording: ChatRequest["audio"] | null;
      seconds: number;
      error: string | null;
      attempts: number;
    };

const providerSchema = z.strictObject({
  /** Empty: the provider is not used. */
  baseUrl: z.literal("").or(webAddress("must be an address such as https://api.example.com/v1")),
  maxTokensParam: z.enum(["max_tokens", "max_completion_tokens"]).default("max_tokens"),
  /** By default the host's own; with Anthropic's and Google's own protocols, schemas are enforced. */
  protocol: z.enum(protocols).optional(),
  /** By default the host's. */
  batches: z.enum(batchInterfaces).optional(),
  /** No key is required. */
  keyless: z.boolean().default(false),
  /** A program simulates the models. */
  simulated: z.boolean().default(false),
});

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

/** Providers that need only a key; the deployment may override their settings. */
const knownProviders: Readonly<Record<string, z.infer<typeof providerSchema>>> = Object.fromEntries(
  (["openai", "anthropic", "google"] as const).map((name) => {
    const { keyVariable: _, protocol: __, ...provider } = providerOf(name);
    return [name, providerSchema.parse(provider)];
  }),
);

/** Settings of the deployment's usable judges, without providers whose key is missing. */
interface JudgeSettings extends Omit<z.infer<typeof judgeSettingsSchema>, "providers"> {
  providers: Readonly<Record<string, Omit<Endpoint, "model"> & { simulated: boolean }>>;
}

const noJudges: JudgeSettings = { ...judgeSettingsSchema.parse({}), providers: {} };

/**
 * Reads a deployment's judges: the variable JUDGES (a table or JSON), and for each provider the secret
 * `JUDGE_KEY_<PROVIDER>`. The error states what to change.
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
    const { keyless, ...its } = provider;
    const { baseUrl } = its;
    const key = env[keyName(name)];
    const apiKey = typeof key === "string" && key.trim() !== "" ? key.trim() : undefined;
    if (baseUrl === "" || (apiKey === undefined && !keyless)) return [];
    return [[name, { ...its, ...(apiKey !== undefined && { apiKey }) }] as const];
  });
  return ok({ ...settings, providers: Object.fromEntries(offered) });
}

function isInOwnZone(baseUrl: string, env: Readonly<Record<string, unknown>>): boolean {
  if (baseUrl === "" || env["ALLOW_PRIVATE_ENDPOINTS"] === "true") return false;
  const ownHosts = readOwnHosts(String(env["OWN_HOSTS"] ?? ""));
  return ownZoneOf(new URL(baseUrl).hostname, ownHosts) !== null;
}

/**
 * Name of the secret with a provider's key.
 * @example keyName("my-proxy") // "JUDGE_KEY_MY_PROXY"
 */
const keyName = (provider: string): string =>
  `JUDGE_KEY_${provider.toUpperCase().replaceAll("-", "_")}`;

function tableOf(given: unknown): unknown {
  if (given === undefined || given === "") return {};
  return typeof given === "string" ? parsedJson(given) : given;
}

/** The models that a provider lists (`GET /models`); a string says why it lists none. Never throws. */
async function listModels(
  endpoint: Endpoint,
  timeoutMs: number,
  now: () => number,
): Promise<ListedModel[] | string> {
  const kind = {
    name: "a list of models",
    send: async (client: OpenAI, bounds: RequestBounds) =>
      readModels(await client.get(modelsPath(endpoint), bounds)),
  };
  const attempt = await requestOnce(endpoint, kind, timeoutMs, now);
  return attempt.ok ? attempt.value.value : `${attempt.failure.class}: ${attempt.failure.message}`;
}
