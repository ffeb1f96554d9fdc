import type { Check } from "../contracts/submissions/connection.ts";
import { suggestion } from "../contracts/text/suggestion.ts";
import {
  type FailedRequest,
  failing,
  passed,
  type Surroundings,
  skipping,
  type Target,
  unsupported,
} from "./check.ts";

/** Available in every runtime. */
declare const URL: new (address: string) => { pathname: string; host: string };

/** Maximum models named if the requested one is missing. */
const SHOWN_MODELS = 5;

/** Checks by `GET /models` that HTTP works, the key is accepted and the model is listed. Also returns the models. */
async function accessChecks(
  target: Target,
  around: Surroundings,
): Promise<{ checks: Check[]; listed: string[] }> {
  const { model, baseUrl } = target;
  const listed = await around.connect(target).models();
  if (!listed.ok) return { checks: await refusedList(target, listed, around), listed: [] };
  const ids = listed.value;
  const http = passed("http", "HTTP", `GET ${pathOf(baseUrl)}/models answers`, listed.ms);
  if (model === "") return { checks: [http, listedCheck(ids, around)], listed: ids };
  // A requested name may have a suffix for a router or a simulation.
  const isListed = ids.some((id) => id === model || id === model.split("?")[0]);
  if (isListed) {
    return { checks: [http, passed("models", "Model listed", model, null)], listed: ids };
  }
  const hint =
    suggestion(model, ids).replace(/^; /, "") ||
    `the list has ${ids.slice(0, SHOWN_MODELS).join(", ") || "no model"}${ids.length > SHOWN_MODELS ? ` and ${ids.length - SHOWN_MODELS} more` : ""}`;
  const missing = unsupported("models", "Model listed", `${model} is not in /models`, hint);
  return { checks: [http, missing], listed: ids };
}

/** Interfaces whose key is in another header than that of Chat Completions and Responses. */
const otherKeys = ["messages", "generate_content"] as const;

/** `accessChecks`; if the key is refused and no interface was named, also in interfaces with another key header. */
export async function accessible(target: Target, isGiven: boolean, around: Surroundings) {
  const first = await accessChecks(target, around);
  const isRefused = first.checks.some(({ id, outcome }) => id === "key" && outcome === "failed");
  if (isGiven || target.apiKey === null || !isRefused) return { target, ...first };
  for (const protocol of otherKeys) {
    const other = { ...target, protocol };
    const tried = await accessChecks(other, around);
    if (tried.listed.length > 0) return { target: other, ...tried };
  }
  return { target, ...first };
}

/** Names of models that can't answer a chat. */
const noChat =
  /embed|tts|whisper|audio|image|moderation|rerank|dall-e|speech|transcri|davinci|babbage|turbo-instruct|realtime|\bsora|\bveo|imagen|lyria|\bocr|guard/i;

/** The model that is tested if none is named: the first one that can answer a chat. */
export const firstModel = (listed: readonly string[]): string | undefined =>
  listed.find((name) => !noChat.test(name)) ?? listed[0];

function listedCheck(ids: readonly string[], { advice }: Surroundings): Check {
  const label = ["models", "Models"] as const;
  if (ids.length === 0) {
    return failing(...label, "it lists none", advice.noModel);
  }
  const more = ids.length > SHOWN_MODELS ? ` and ${ids.length - SHOWN_MODELS} more` : "";
  return passed(...label, `${ids.slice(0, SHOWN_MODELS).join(", ")}${more}`, null);
}

async function refusedList(
  target: Target,
  { status, message }: FailedRequest,
  around: Surroundings,
): Promise<Check[]> {
  const { advice } = around;
  const path = `GET ${pathOf(target.baseUrl)}/models`;
  if (status === null) {
    return [failing("http", "HTTP", `${path}: ${message}`, unreachedHint(target, message, advice))];
  }
  const http = passed("http", "HTTP", `${path} answers ${status}`, null);
  if (isKeyProblem(status, message)) {
    return [http, failing("key", "Key", `${status}: ${message}`, keyHint(target, status, around))];
  }
  if (status >= 300 && status < 400) {
    const hint = "give the target of the redirect: redirects are not followed, because of the key";
    return [failing("http", "HTTP", `${path} answers ${status}, a redirect`, hint)];
  }
  const better = status === 404 ? await versioned(target, around) : null;
  if (better !== null) {
    return [failing("http", "HTTP", `${path} answers 404`, `give the address with /v1: ${better}`)];
  }
  const why = `no list of models: ${status} ${message}`;
  if (target.model === "") {
    return [http, failing("models", "Models", why, advice.noModel)];
  }
  return [http, skipping("models", "Model listed", why)];
}

/** What to do about an address that did not answer. */
function unreachedHint(
  { baseUrl }: Target,
  message: string,
  { slow }: Surroundings["advice"],
): string {
  const { host } = new URL(baseUrl);
  if (/HPE_|UND_ERR_SOCKET|ECONNRESET|other side closed/.test(message)) {
    return "the port does not answer http; for https, the address must begin with https://";
  }
  if (/no such host/.test(message)) {
    return `check the spelling of ${host}; a name of a private network is only known there`;
  }
  if (/connection failed/.test(message)) {
    return `nothing answers at ${host}: check the port, that the server is running, and that it can be reached from here`;
  }
  return slow;
}

/** Google and xAI answer a wrong key with 400. */
export const isKeyProblem = (status: number, message: string): boolean =>
  status === 401 || status === 403 || (status === 400 && /api.?key/i.test(message));

const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, "");

/** What to do about a refused key. */
export function keyHint({ apiKey }: Target, status: number, { advice }: Surroundings): string {
  if (apiKey === null) return `it requires a key: ${advice.noKey}`;
  return status === 403
    ? "the key is valid but not allowed to do this: check its permissions, and the account's models and region"
    : `the key is wrong, expired or for another provider: ${advice.wrongKey}`;
}

/** The address with /v1 appended, if it lists models or asks for a key. */
async function versioned(target: Target, { connect }: Surroundings): Promise<string | null> {
  if (/\/v\d+\w*\/?$/.test(new URL(target.baseUrl).pathname)) return null;
  const baseUrl = `${target.baseUrl.replace(/\/+$/, "")}/v1`;
  const found = await connect({ ...target, baseUrl }).models();
  return found.ok || found.status === 401 || found.status === 403 ? baseUrl : null;
}
