import { type Answer, emptyAnswer, type StructuredMode } from "../contracts/answer.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Check } from "../contracts/submissions/connection.ts";
import { suggestion } from "../contracts/text/suggestion.ts";
import { readOutput } from "../measures/json-output/read-output.ts";
import { readSchema } from "../measures/json-schema/read-schema.ts";
import { withoutThoughts } from "../measures/thoughts/without-thoughts.ts";
import { ladderOf, protocolOf } from "../protocols/protocol-of.ts";
import { extractionMessages } from "../suites/extraction/ask/prompt.ts";
import { extractionOptionsSchema } from "../suites/extraction/options.ts";
import { isKeyProblem, keyHint } from "./access-checks.ts";
import {
  type Asked,
  type EndpointClient,
  type EndpointReply,
  type FailedRequest,
  failing,
  passed,
  type Surroundings,
  skipping,
  type Target,
  unsupported,
} from "./check.ts";

/** Available in every runtime. */
declare const URL: new (address: string) => { pathname: string };

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    city: { type: "string" },
    age: { type: "integer" },
  },
  required: ["name", "city", "age"],
  additionalProperties: false,
};
const sample = {
  id: "connection",
  text: "Mia Berg lives in Oslo and is 34 years old.",
  schema,
  expected_output: { name: "Mia Berg", city: "Oslo", age: 34 },
  tags: {},
};
/** The schema contradicts the prompt, so only a constrained answer follows the schema. */
const probe = {
  messages: [
    {
      role: "user" as const,
      content: 'Reply with exactly this JSON, and nothing else: {"greeting": "hello"}',
    },
  ],
  schema: {
    type: "object",
    properties: { colour: { type: "string", enum: ["teal"] } },
    required: ["colour"],
    additionalProperties: false,
  },
};

const hello: Asked = { messages: [{ role: "user", content: "Say hello in one word." }] };
const weather: Asked = {
  messages: [
    {
      role: "user",
      content: 'What is the weather in "Oslo", and what is it in "Lima"? Look up both at once.',
    },
  ],
  tools: [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "The weather of one city",
        parameters: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
      },
    },
  ],
};

/** Enough tokens for a model that thinks before it answers. */
const MAX_TOKENS = 1024;

/** Parameters of every further request, in addition to its messages. */
export type RequestParameters = Pick<Asked, "temperature" | "maxTokens" | "maxTokensParam">;

/** Checks that the model answers a plain chat, and finds parameters that it accepts; null: the request fails. */
export async function chatCheck(
  target: Target,
  listed: readonly string[],
  around: Surroundings,
): Promise<{ checks: Check[]; parameters: RequestParameters | null; status: number | null }> {
  let parameters: RequestParameters = { temperature: 0, maxTokens: MAX_TOKENS };
  const notes: Check[] = [];
  const ask = around.connect(target);
  for (;;) {
    const reply = await ask.chat({ ...hello, ...parameters });
    const status = reply.ok ? 200 : reply.status;
    if (reply.ok) {
      if (reply.value === null) {
        const hint = "it is no answer of this interface: is it a model's endpoint?";
        const detail = `POST ${pathOf(target)} returns something else`;
        return { checks: [failing("chat", "Chat", detail, hint)], parameters: null, status };
      }
      const text = (withoutThoughts(reply.value).output ?? "").trim().slice(0, 40);
      const detail = text === "" ? "answers, but with an empty text" : `answers "${text}"`;
      const checks = [passed("chat", "Chat", detail, reply.ms), ...notes, ...saidOf(reply.value)];
      return { checks, parameters, status };
    }
    const other = withoutRefused(parameters, reply, around);
    if (other === null) {
      return { checks: [failedChat(target, reply, listed, around)], parameters: null, status };
    }
    notes.push(other.note);
    parameters = other.parameters;
  }
}

/** Path of a chat request, for hints. */
const pathOf = (target: Target): string =>
  `${new URL(target.baseUrl).pathname.replace(/\/+$/, "")}${protocolOf(target).path(target.model, false)}`;

/** Checks whether an answer has thoughts and token counts. */
function saidOf(answer: Answer): Check[] {
  const { inputTokens, outputTokens, reasoningTokens = null, cachedTokens = null } = answer;
  const isInText = (withoutThoughts({ ...answer, thoughts: "" }).thoughts ?? "") !== "";
  const thoughts = ["thoughts", "Thoughts"] as const;
  const counted = [
    reasoningTokens !== null && `${reasoningTokens} of thoughts`,
    cachedTokens !== null && `${cachedTokens} from a cache`,
  ].filter(Boolean);
  return [
    answer.thoughts || isInText
      ? passed(
          ...thoughts,
          isInText ? "in the text, which Assay sets apart" : "apart from the text",
          null,
        )
      : unsupported(
          ...thoughts,
          reasoningTokens || answer.thoughtsHidden ? "not shown" : "none",
          null,
        ),
    inputTokens === null || outputTokens === null
      ? unsupported("usage", "Token counts", "none", "without them no cost is known")
      : passed(
          "usage",
          "Token counts",
          [`${inputTokens} in, ${outputTokens} out`, ...counted].join(", "),
          null,
        ),
  ];
}

/** Many models show thoughts, or think at all, only if an effort is requested; they then accept no temperature. */
export async function effortChecks(
  { settings, ...target }: Target,
  { temperature: _, ...parameters }: RequestParameters,
  { connect, advice }: Surroundings,
): Promise<Check[]> {
  if (settings?.reasoningEffort !== undefined) return [];
  const thinker = { ...target, settings: { ...settings, reasoningEffort: "low" as const } };
  const reply = await connect(thinker).chat({ ...hello, ...parameters });
  const label = ["effort", "Thoughts with an effort"] as const;
  if (!reply.ok) return [refused(...label, reply)];
  const [thoughts] = saidOf(reply.value ?? emptyAnswer);
  const { outcome, detail } = thoughts!;
  if (outcome !== "ok") return [unsupported(...label, detail, null)];
  return [{ ...passed(...label, detail, reply.ms), hint: advice.effort }];
}

/** The parameters without the refused one; null if the request failed for another reason. */
function withoutRefused(
  parameters: RequestParameters,
  { status, message }: FailedRequest,
  { advice }: Surroundings,
) {
  if (status !== 400 && status !== 422) return null;
  const { temperature: _, ...rest } = parameters;
  const isRenamed = parameters.maxTokensParam !== undefined;
  if (!isRenamed && /max_(completion_)?tokens/.test(message)) {
    const note = passed("maxTokens", "Token limit", "requires max_completion_tokens", null);
    note.hint = advice.limitParam;
    const maxTokensParam = "max_completion_tokens" as const;
    return { note, parameters: { ...parameters, maxTokensParam } };
  }
  if (parameters.temperature !== undefined && /temperature/.test(message)) {
    const note = passed("temperature", "Temperature", "accepts only its default", null);
    note.hint = advice.temperature;
    return { note, parameters: rest };
  }
  return null;
}

function failedChat(
  target: Target,
  reply: FailedRequest,
  listed: readonly string[],
  around: Surroundings,
): Check {
  const { status, message } = reply;
  const limited = status === 429 ? "rate limited, " : "";
  const detail = status === null ? message : `${limited}${status}: ${message}`;
  if (status !== null && isKeyProblem(status, message)) {
    return failing("key", "Key", detail, keyHint(target, status, around));
  }
  return failing("chat", "Chat", detail, chatHint(target, reply, listed, around));
}

function chatHint(
  target: Target,
  { status }: FailedRequest,
  listed: readonly string[],
  { advice }: Surroundings,
) {
  if (status === 404) {
    const near = suggestion(target.model, listed).replace(/^; /, "");
    const path = pathOf(target);
    const at = /\/v\d/.test(path) ? "" : "; is /v1 missing at the end of the address?";
    return near || `there is no model ${target.model}, or no ${path}${at}`;
  }
  if (status === 429)
    return "too many requests, or no credit left: wait, or check the provider's limits";
  if (status !== null && status >= 500)
    return "the server has an error: see its log, or try again later";
  if (status === null) return advice.loading;
  if (status >= 300 && status < 400) return "give the target of the redirect";
  return "the endpoint's message says what is wrong with the request";
}

/** Names of the structured-output modes. */
const labels: Readonly<Record<StructuredMode, string>> = {
  json_schema_strict: "JSON schema, strict",
  json_schema: "JSON schema",
  structured_outputs: "vLLM's structured_outputs",
  guided_json: "vLLM's guided_json",
  json_object: "JSON object",
  none: "Schema in the prompt",
};

/** Tests each structured-output mode; in modes that should enforce a schema, the schema contradicts the prompt. */
export async function structuredChecks(
  target: Target,
  ask: EndpointClient,
  parameters: RequestParameters,
): Promise<Check[]> {
  const messages = extractionMessages(sample as never, extractionOptionsSchema.parse({}));
  const checks: Check[] = [];
  for (const mode of ladderOf(target)) {
    const isProbed = mode !== "json_object" && mode !== "none";
    const its = isProbed ? probe : { messages, schema };
    const structured = { name: "reply", schema: its.schema, mode };
    const { messages: asked } = its;
    const reply = await ask.chat({ ...parameters, messages: asked, structured, mode });
    const check = !reply.ok
      ? refused(mode, labels[mode], reply)
      : (isProbed ? probeCheck : promptCheck)(mode, labels[mode], reply);
    checks.push(check);
  }
  return checks;
}

function promptCheck(
  id: StructuredMode,
  label: string,
  reply: EndpointReply<Answer | null>,
): Check {
  const { parse, value } = readOutput(withoutThoughts(reply.value ?? emptyAnswer));
  if (parse === "failed")
    return unsupported(id, label, "accepted, but the answer isn't JSON", null);
  if (!fits(value, schema))
    return unsupported(id, label, "accepted, but doesn't fit the schema", null);
  const detail =
    parse === "clean" ? "the answer fits the schema" : "fits the schema, with text around the JSON";
  const enforced = id === "none" ? "not asked for" : "asked for";
  return { ...passed(id, label, detail, reply.ms), enforced };
}

function fits(value: Json | undefined, its: JsonObject): boolean {
  if (value === undefined) return false;
  const reasons = readSchema(its, false).validate(value);
  return reasons.ok && reasons.value.length === 0;
}

/** The result for a mode with a schema that contradicts the prompt. */
function probeCheck(id: string, label: string, reply: EndpointReply<Answer | null>): Check {
  const answer = withoutThoughts(reply.value ?? emptyAnswer);
  const { parse, value } = readOutput(answer);
  const isConstrained = parse === "clean" && fits(value, probe.schema);
  if (isConstrained) {
    const detail = "constrained: the answer follows the schema against the prompt";
    return { ...passed(id, label, detail, reply.ms), enforced: "constrained" };
  }
  const isWhole = (answer.output ?? "").trim() !== "" && answer.finishReason !== "length";
  const detail = isWhole
    ? "accepted, but ignored: the answer follows the prompt against the schema"
    : "accepted; without a whole answer, whether it is enforced is not known";
  const enforced = isWhole ? "ignored" : "asked for";
  return { ...unsupported(id, label, detail, null), enforced };
}

/** Other features of the model: function calls, log probabilities and streams. */
export async function featureChecks(
  ask: EndpointClient,
  parameters: RequestParameters,
): Promise<Check[]> {
  return [
    ...(await toolChecks(ask, parameters)),
    await logprobsCheck(ask, parameters),
    await streamCheck(ask, parameters),
  ];
}

async function toolChecks(ask: EndpointClient, parameters: RequestParameters): Promise<Check[]> {
  const reply = await ask.chat({ ...weather, ...parameters });
  const parallel = ["parallel_tools", "Parallel calls"] as const;
  if (!reply.ok) {
    const hint = "suite tools then lists the functions in the prompt";
    return [refused("tools", "Function calls", reply, hint), refused(...parallel, reply)];
  }
  const calls = (reply.value?.toolCalls ?? []).flatMap((call) =>
    typeof call.arguments === "object" ? [call.name] : [],
  );
  if (calls.length === 0) {
    const detail = "accepted, but no readable call was returned";
    const hint = "some servers need an option to parse calls: in vLLM --enable-auto-tool-choice";
    return [
      unsupported("tools", "Function calls", detail, hint),
      unsupported(...parallel, "no calls at all", null),
    ];
  }
  const detail = `${calls[0]}(…)`;
  return [
    passed("tools", "Function calls", detail, reply.ms),
    calls.length > 1
      ? passed(...parallel, `${calls.length} in one answer`, null)
      : unsupported(...parallel, "one call instead of the two requested", null),
  ];
}

/** The check of a feature whose request failed; skipped if the request was rate limited, because that proves nothing. */
function refused(
  id: string,
  label: string,
  { status, message }: FailedRequest,
  hint: string | null = null,
): Check {
  if (status === 429) return skipping(id, label, `not known: rate limited, 429: ${message}`);
  return unsupported(id, label, status === null ? message : `refused, ${status}: ${message}`, hint);
}

async function logprobsCheck(ask: EndpointClient, parameters: RequestParameters): Promise<Check> {
  const reply = await ask.chat({ ...hello, ...parameters, logprobs: true });
  const label = ["logprobs", "Log probabilities"] as const;
  if (!reply.ok) return refused(...label, reply);
  return reply.value?.confidence != null
    ? passed(...label, "of every token", reply.ms)
    : unsupported(...label, "accepted, but none were returned", null);
}

async function streamCheck(ask: EndpointClient, parameters: RequestParameters): Promise<Check> {
  const reply = await ask.stream({ ...hello, ...parameters });
  const label = ["stream", "Streaming, with usage"] as const;
  const hint = "Assay asks without streams then: the time to first byte is that of the whole reply";
  if (!reply.ok) return refused(...label, reply, hint);
  const { isStream, answer } = reply.value;
  if (!isStream) return unsupported(...label, "no stream was returned", hint);
  if (answer === null) return unsupported(...label, "the stream ends before the answer", hint);
  const { inputTokens, outputTokens } = answer;
  return outputTokens === null
    ? unsupported(...label, "streams, but reports no tokens", hint)
    : passed(...label, `tokens: ${inputTokens} in, ${outputTokens} out`, reply.ms);
}
