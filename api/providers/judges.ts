import type { Route } from "#shared/contracts/judge.ts";
import type { Endpoint } from "#shared/contracts/submission.ts";
import type { AskLimits } from "../platform/ports.ts";
import { modelClient } from "./ask-model.ts";
import { embedOnce } from "./embed.ts";
import { type EndpointMemory, endpointMemory } from "./endpoint-memory.ts";
import type { JudgingPort } from "./judge-client.ts";
import { noJudges, readJudgeSettings } from "./judge-settings.ts";
import type { Attempt } from "./request-once.ts";
import { isTooLong, noCalls, retrying, type Surroundings } from "./retrying.ts";
import { speakOnce } from "./speak.ts";

/** What judges of this isolate were found not to take, by provider and model. */
const learnt = new Map<string, EndpointMemory>();

/** The judges that the deployment's variables and secrets name, asked with the SDK. */
export function judgingPort(
  env: Readonly<Record<string, unknown>>,
  around: Surroundings,
): JudgingPort {
  const read = readJudgeSettings(env);
  const settings = read.ok ? read.value : noJudges;
  const { providers, routes, fallback, models, prices, concurrency } = settings;
  const { timeoutMs, maxRetries } = settings;
  const ask = modelClient(around);
  const endpointOf = ({ provider, model }: Route): Endpoint => {
    const endpoint = providers[provider];
    if (endpoint === undefined) throw new Error(`judge provider ${provider} has no key any more`);
    const { simulated: _, ...its } = endpoint;
    return { ...its, model };
  };
  return {
    problem: read.ok ? null : read.error,
    deployment: {
      providers: Object.keys(providers),
      routes,
      fallbackJudge: fallback === "" ? null : fallback,
    },
    simulated: Object.keys(providers).filter((name) => providers[name]!.simulated),
    models: models.includes("*") ? null : models,
    prices,
    concurrency,
    limits: { timeoutMs, maxRetries },

    ask: (route, request, limits, memory) =>
      remembering(route, memory, (own) => ask(endpointOf(route), request, limits, own)),

    embed: (route, texts, limits, memory) =>
      remembering(route, memory, async (own) => {
        const calls = noCalls(around.now());
        const send = () => embedOnce(endpointOf(route), texts, limits.timeoutMs, around.now);
        const attempt = await retrying({ around, limits, memory: own, calls }, send);
        const until = postponedUntil(attempt, limits, around.now());
        if (until !== null) return { kind: "postponed", until };
        const counts = {
          attempts: calls.attempts,
          latencyMs: attempt.ok ? attempt.value.latencyMs : 0,
        };
        if (!attempt.ok) {
          const { class: name, message } = attempt.failure;
          const error = { class: name, message };
          return { kind: "vectors", vectors: null, error, inputTokens: null, ...counts };
        }
        return { kind: "vectors", ...attempt.value.value, error: null, ...counts };
      }),

    speak: (route, text, limits, memory) =>
      remembering(route, memory, async (own) => {
        const calls = noCalls(around.now());
        const send = () => speakOnce(endpointOf(route), text, limits.timeoutMs, around.now);
        const attempt = await retrying({ around, limits, memory: own, calls }, send);
        const until = postponedUntil(attempt, limits, around.now());
        if (until !== null) return { kind: "postponed", until };
        if (!attempt.ok) {
          const { class: error } = attempt.failure;
          return { kind: "recording", recording: null, error };
        }
        return { kind: "recording", recording: attempt.value.value, error: null };
      }),
  };
}

/** A call with what is known of its endpoint, whose news are added to `memory`. */
async function remembering<Value>(
  { provider, model }: Route,
  memory: EndpointMemory,
  call: (own: EndpointMemory) => Promise<Value>,
): Promise<Value> {
  const name = `${provider}:${model}`;
  const known = learnt.get(name) ?? endpointMemory();
  learnt.set(name, known);
  const own: EndpointMemory = { ...known, overloads: 0, notes: [] };
  const value = await call(own);
  memory.overloads += own.overloads;
  memory.notes.push(...own.notes.map((note) => `judge ${model}: ${note}`));
  return value;
}

function postponedUntil(attempt: Attempt<unknown>, limits: AskLimits, now: number): number | null {
  if (attempt.ok || !isTooLong(attempt.failure, limits)) return null;
  return now + (attempt.failure.retryAfterMs ?? 0);
}
