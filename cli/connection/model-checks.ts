import { validate } from "@cfworker/json-schema";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import { readOutput } from "#shared/measures/json-output/read-output.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { extractionMessages } from "#shared/suites/extraction/ask/prompt.ts";
import { extractionOptionsSchema } from "#shared/suites/extraction/options.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { keyHint } from "./access-checks.ts";
import { type Check, failing, passed, type Target, unsupported } from "./check.ts";
import type { EndpointClient, EndpointReply, FailedRequest } from "./endpoint-client.ts";

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
const name = "person";

const hello = { messages: [{ role: "user", content: "Say hello in one word." }] };
const weather = {
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

/** Enough for a model that thinks before it answers. */
const MAX_TOKENS = 1024;

/** Parameters of every further request, in addition to its messages. */
export interface RequestParameters {
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
}

/** Whether the model answers a plain chat, and with which parameters. `parameters` null: it can't be asked. */
export async function chatCheck(
  target: Target,
  ask: EndpointClient,
  listed: readonly string[],
): Promise<{ checks: Check[]; parameters: RequestParameters | null }> {
  let parameters: RequestParameters = { temperature: 0, max_tokens: MAX_TOKENS };
  const notes: Check[] = [];
  for (;;) {
    const reply = await ask.chat({ ...hello, ...parameters });
    if (reply.ok) {
      const choice = reply.value?.choices?.[0];
      if (choice === undefined) {
        const hint = "it is not a chat completion: is it an OpenAI-compatible endpoint?";
        const detail = "POST /chat/completions returns something else";
        return { checks: [failing("chat", "Chat", detail, hint)], parameters: null };
      }
      const text = (choice.message?.content ?? "").trim().slice(0, 40);
      const detail = text === "" ? "answers, but with an empty text" : `answers "${text}"`;
      return { checks: [passed("chat", "Chat", detail, reply.ms), ...notes], parameters };
    }
    const other = withoutRefused(parameters, reply);
    if (other === null) return { checks: [failedChat(target, reply, listed)], parameters: null };
    notes.push(other.note);
    parameters = other.parameters;
  }
}

/** Without a refused parameter; null if there is another reason. */
function withoutRefused(parameters: RequestParameters, { status, message }: FailedRequest) {
  if (status !== 400 && status !== 422) return null;
  const { temperature, max_tokens: most, ...rest } = parameters;
  if (most !== undefined && /max_(completion_)?tokens/.test(message)) {
    const note = passed("maxTokens", "Token limit", "requires max_completion_tokens", null);
    note.hint = "max_tokens_param: max_completion_tokens in the config";
    const changed: RequestParameters = {
      ...(temperature !== undefined && { temperature }),
      ...rest,
    };
    return { note, parameters: { ...changed, max_completion_tokens: most } };
  }
  if (temperature !== undefined && /temperature/.test(message)) {
    const note = passed("temperature", "Temperature", "accepts only its default", null);
    note.hint = "temperature: null in the config leaves it out";
    return { note, parameters: { ...rest, ...(most !== undefined && { max_tokens: most }) } };
  }
  return null;
}

function failedChat(target: Target, reply: FailedRequest, listed: readonly string[]): Check {
  const { status, message } = reply;
  const detail = status === null ? message : `${status}: ${message}`;
  if (status === 401 || status === 403) {
    return failing("key", "Key", detail, keyHint(target, status));
  }
  return failing("chat", "Chat", detail, chatHint(target, reply, listed));
}

function chatHint(
  { model, baseUrl }: Target,
  { status }: FailedRequest,
  listed: readonly string[],
) {
  if (status === 404) {
    const near = suggestion(model, listed).replace(/^; /, "");
    const path = new URL(baseUrl).pathname.replace(/\/+$/, "");
    const at = /\/v\d/.test(path) ? "" : "; is /v1 missing at the end of the address?";
    return near || `there is no model ${model}, or no ${path}/chat/completions${at}`;
  }
  if (status === 429)
    return "too many requests, or no credit left: wait, or check the provider's limits";
  if (status !== null && status >= 500)
    return "the server has an error: see its log, or try again later";
  if (status === null)
    return "the model may still be loading: try again, or give --timeout SECONDS";
  if (status >= 300 && status < 400) return "give the target of the redirect";
  return "the endpoint's message says what is wrong with the request";
}

/** Which ways to request structured output work: the request is accepted, and the answer fits the schema. */
export async function structuredChecks(
  ask: EndpointClient,
  parameters: RequestParameters,
): Promise<Check[]> {
  const messages = extractionMessages(sample as never, extractionOptionsSchema.parse({}));
  const checks: Check[] = [];
  for (const [id, label, fields] of modes) {
    checks.push(structuredCheck(id, label, await ask.chat({ messages, ...parameters, ...fields })));
  }
  return checks;
}

/** Ways to enforce a schema, as used by the service and its users. */
const modes = [
  ["json_schema_strict", "JSON schema, strict", schemaFormat({ name, schema, strict: true })],
  ["json_schema", "JSON schema", schemaFormat({ name, schema, strict: false })],
  ["json_object", "JSON object", { response_format: { type: "json_object" } }],
  [
    "tool_call",
    "Schema by tool call",
    {
      tools: [{ type: "function", function: { name, parameters: schema } }],
      tool_choice: { type: "function", function: { name } },
    },
  ],
  ["none", "Schema in the prompt", {}],
] as const;

function schemaFormat(json_schema: object) {
  return { response_format: { type: "json_schema", json_schema } };
}

type Chat = Extract<Awaited<ReturnType<EndpointClient["chat"]>>, { ok: true }>["value"];

function structuredCheck(
  id: string,
  label: string,
  reply: EndpointReply<Chat> | FailedRequest,
): Check {
  if (!reply.ok) {
    const detail =
      reply.status === null ? reply.message : `refused, ${reply.status}: ${reply.message}`;
    return unsupported(id, label, detail, null);
  }
  const message = reply.value?.choices?.[0]?.message;
  const call = message?.tool_calls?.[0] as { function?: { arguments?: string } } | undefined;
  if (id === "tool_call" && call === undefined) {
    return unsupported(id, label, "accepted, but no call was returned", null);
  }
  const output = call?.function?.arguments ?? message?.content ?? null;
  const { parse, value } = readOutput(withoutThoughts({ ...emptyAnswer, output }));
  if (parse === "failed")
    return unsupported(id, label, "accepted, but the answer isn't JSON", null);
  const { valid } = validate(value as object, schema as object);
  if (!valid) return unsupported(id, label, "accepted, but doesn't fit the schema", null);
  const detail =
    parse === "clean" ? "the answer fits the schema" : "fits the schema, with text around the JSON";
  return passed(id, label, detail, reply.ms);
}

/** Other features of the model: function calls, log probabilities, seeds and streams. */
export async function featureChecks(
  ask: EndpointClient,
  parameters: RequestParameters,
): Promise<Check[]> {
  return [
    ...(await toolChecks(ask, parameters)),
    await logprobsCheck(ask, parameters),
    await seedCheck(ask, parameters),
    await streamCheck(ask, parameters),
  ];
}

async function toolChecks(ask: EndpointClient, parameters: RequestParameters): Promise<Check[]> {
  const reply = await ask.chat({ ...weather, ...parameters });
  const parallel = ["parallel_tools", "Parallel calls"] as const;
  if (!reply.ok) {
    return [
      unsupported(
        "tools",
        "Function calls",
        failureText(reply),
        "suite tools then lists the functions in the prompt",
      ),
      unsupported(...parallel, "no calls at all", null),
    ];
  }
  const calls = (reply.value?.choices?.[0]?.message?.tool_calls ?? []).flatMap((call) =>
    call.type === "function" && isJson(call.function.arguments) ? [call.function.name] : [],
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

const failureText = ({ status, message }: FailedRequest): string =>
  status === null ? message : `refused, ${status}: ${message}`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function logprobsCheck(ask: EndpointClient, parameters: RequestParameters): Promise<Check> {
  const reply = await ask.chat({ ...hello, ...parameters, logprobs: true });
  const label = ["logprobs", "Log probabilities"] as const;
  if (!reply.ok) return unsupported(...label, failureText(reply), null);
  const tokens = reply.value?.choices?.[0]?.logprobs?.content ?? [];
  return tokens.length > 0
    ? passed(...label, "of every token", reply.ms)
    : unsupported(...label, "accepted, but none were returned", null);
}

async function seedCheck(ask: EndpointClient, parameters: RequestParameters): Promise<Check> {
  const reply = await ask.chat({ ...hello, ...parameters, seed: 7 });
  const label = ["seed", "Seed"] as const;
  return reply.ok
    ? passed(...label, "accepted; the endpoint does not say whether it has an effect", reply.ms)
    : unsupported(...label, failureText(reply), null);
}

async function streamCheck(ask: EndpointClient, parameters: RequestParameters): Promise<Check> {
  const reply = await ask.stream({ ...hello, ...parameters });
  const label = ["stream", "Streaming, with usage"] as const;
  const hint = "Assay asks without streams then: the time to first byte is that of the whole reply";
  if (!reply.ok) return unsupported(...label, failureText(reply), hint);
  const { count, usage } = reply.value;
  if (count === 0) return unsupported(...label, "no stream was returned", hint);
  return usage === null
    ? unsupported(...label, "streams, but reports no tokens", hint)
    : passed(
        ...label,
        `tokens: ${usage.prompt_tokens} in, ${usage.completion_tokens} out`,
        reply.ms,
      );
}
