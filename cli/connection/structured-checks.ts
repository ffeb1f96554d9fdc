import { validate } from "@cfworker/json-schema";
import { emptyAnswer } from "#shared/contracts/answer.ts";
import { readOutput } from "#shared/measures/json-output/read-output.ts";
import { withoutThoughts } from "#shared/measures/thoughts/without-thoughts.ts";
import { extractionMessages } from "#shared/suites/extraction/ask/prompt.ts";
import { extractionOptionsSchema } from "#shared/suites/extraction/options.ts";
import { suggestion } from "../command-line/suggestion.ts";
import { keyHint } from "./access-checks.ts";
import type { Asker, Refused, Told } from "./ask.ts";
import { type Check, failing, lacking, passed, type Target } from "./check.ts";

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

/** Enough for a model that thinks before it says something. */
const MAX_TOKENS = 1024;
const question = { messages: [{ role: "user", content: "Say hello in one word." }] };

/** Parameters of every further request besides its messages. */
export interface Usual {
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
}

/** Which ways to ask for structured output work: the request is taken, and the answer fits the schema. */
export async function structuredChecks(ask: Asker, usual: Usual): Promise<Check[]> {
  const messages = extractionMessages(sample as never, extractionOptionsSchema.parse({}));
  const checks: Check[] = [];
  for (const [id, label, fields] of modes) {
    checks.push(judged(id, label, await ask.chat({ messages, ...usual, ...fields })));
  }
  return checks;
}

/** Ways to have a model keep to a schema, as the service and its users ask for it. */
const modes = [
  ["json_schema_strict", "JSON schema, strict", formatted({ name, schema, strict: true })],
  ["json_schema", "JSON schema", formatted({ name, schema, strict: false })],
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

function formatted(json_schema: object) {
  return { response_format: { type: "json_schema", json_schema } };
}

type Chat = Extract<Awaited<ReturnType<Asker["chat"]>>, { ok: true }>["value"];

function judged(id: string, label: string, said: Told<Chat> | Refused): Check {
  if (!said.ok) {
    const detail = said.status === null ? said.message : `refused, ${said.status}: ${said.message}`;
    return lacking(id, label, detail, null);
  }
  const message = said.value?.choices?.[0]?.message;
  const call = message?.tool_calls?.[0] as { function?: { arguments?: string } } | undefined;
  if (id === "tool_call" && call === undefined) {
    return lacking(id, label, "taken, but no call came", null);
  }
  const output = call?.function?.arguments ?? message?.content ?? null;
  const { parse, value } = readOutput(withoutThoughts({ ...emptyAnswer, output }));
  if (parse === "failed") return lacking(id, label, "taken, but the answer is no JSON", null);
  const { valid } = validate(value as object, schema as object);
  if (!valid) return lacking(id, label, "taken, but the answer doesn't fit the schema", null);
  const detail =
    parse === "clean" ? "the answer fits the schema" : "fits, with words around the JSON";
  return passed(id, label, detail, said.ms);
}

/** What else the model can be asked for: function calls, log probabilities, seeds and streams. */
export async function featureChecks(ask: Asker, usual: Usual): Promise<Check[]> {
  return [
    ...(await toolChecks(ask, usual)),
    await logprobsCheck(ask, usual),
    await seedCheck(ask, usual),
    await streamCheck(ask, usual),
  ];
}

async function toolChecks(ask: Asker, usual: Usual): Promise<Check[]> {
  const said = await ask.chat({ ...weather, ...usual });
  const parallel = ["parallel_tools", "Parallel calls"] as const;
  if (!said.ok) {
    return [
      lacking("tools", "Function calls", refusal(said), "suite tools asks in the prompt then"),
      lacking(...parallel, "no calls at all", null),
    ];
  }
  const calls = (said.value?.choices?.[0]?.message?.tool_calls ?? []).flatMap((call) =>
    call.type === "function" && isJson(call.function.arguments) ? [call.function.name] : [],
  );
  if (calls.length === 0) {
    const detail = "taken, but no call that can be read came";
    const hint = "some servers want an option to parse calls, as vLLM's --enable-auto-tool-choice";
    return [
      lacking("tools", "Function calls", detail, hint),
      lacking(...parallel, "no calls at all", null),
    ];
  }
  const detail = `${calls[0]}(…)`;
  return [
    passed("tools", "Function calls", detail, said.ms),
    calls.length > 1
      ? passed(...parallel, `${calls.length} in one answer`, null)
      : lacking(...parallel, "one call where two were asked for", null),
  ];
}

const refusal = ({ status, message }: Refused): string =>
  status === null ? message : `refused, ${status}: ${message}`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function logprobsCheck(ask: Asker, usual: Usual): Promise<Check> {
  const said = await ask.chat({ ...hello, ...usual, logprobs: true });
  const label = ["logprobs", "Log probabilities"] as const;
  if (!said.ok) return lacking(...label, refusal(said), null);
  const tokens = said.value?.choices?.[0]?.logprobs?.content ?? [];
  return tokens.length > 0
    ? passed(...label, "of every token", said.ms)
    : lacking(...label, "taken, but none came", null);
}

async function seedCheck(ask: Asker, usual: Usual): Promise<Check> {
  const said = await ask.chat({ ...hello, ...usual, seed: 7 });
  const label = ["seed", "Seed"] as const;
  return said.ok
    ? passed(...label, "taken; whether it is kept to is not told", said.ms)
    : lacking(...label, refusal(said), null);
}

async function streamCheck(ask: Asker, usual: Usual): Promise<Check> {
  const said = await ask.stream({ ...hello, ...usual });
  const label = ["stream", "Streaming, with usage"] as const;
  const hint = "Assay asks without streams";
  if (!said.ok) return lacking(...label, refusal(said), hint);
  const { count, usage } = said.value;
  if (count === 0) return lacking(...label, "no stream came", hint);
  return usage === null
    ? lacking(...label, "streams, but tells no tokens", hint)
    : passed(
        ...label,
        `tokens: ${usage.prompt_tokens} in, ${usage.completion_tokens} out`,
        said.ms,
      );
}

/** Whether the model answers a plain chat, and with which parameters. `usual` null: it can't be asked. */
export async function chatCheck(
  target: Target,
  ask: Asker,
  listed: readonly string[],
): Promise<{ checks: Check[]; usual: Usual | null }> {
  let usual: Usual = { temperature: 0, max_tokens: MAX_TOKENS };
  const notes: Check[] = [];
  for (;;) {
    const said = await ask.chat({ ...question, ...usual });
    if (said.ok) {
      const choice = said.value?.choices?.[0];
      if (choice === undefined) {
        const hint = "it is no chat completion: is it an OpenAI-compatible endpoint?";
        const detail = "POST /chat/completions answers with something else";
        return { checks: [failing("chat", "Chat", detail, hint)], usual: null };
      }
      const text = (choice.message?.content ?? "").trim().slice(0, 40);
      const detail = text === "" ? "answers, with an empty text" : `answers "${text}"`;
      return { checks: [passed("chat", "Chat", detail, said.ms), ...notes], usual };
    }
    const other = withoutRefused(usual, said);
    if (other === null) return { checks: [refusedChat(target, said, listed)], usual: null };
    notes.push(other.note);
    usual = other.usual;
  }
}

/** Without a parameter that is refused; null where another reason is given. */
function withoutRefused(usual: Usual, { status, message }: Refused) {
  if (status !== 400 && status !== 422) return null;
  const { temperature, max_tokens: most, ...rest } = usual;
  if (most !== undefined && /max_(completion_)?tokens/.test(message)) {
    const note = passed(
      ...(["maxTokens", "Token limit", "wants max_completion_tokens"] as const),
      null,
    );
    note.hint = "max_tokens_param: max_completion_tokens in the config";
    const changed: Usual = { ...(temperature !== undefined && { temperature }), ...rest };
    return { note, usual: { ...changed, max_completion_tokens: most } };
  }
  if (temperature !== undefined && /temperature/.test(message)) {
    const note = passed("temperature", "Temperature", "takes its default alone", null);
    note.hint = "temperature: null in the config leaves it out";
    return { note, usual: { ...rest, ...(most !== undefined && { max_tokens: most }) } };
  }
  return null;
}

function refusedChat(target: Target, said: Refused, listed: readonly string[]): Check {
  const { status, message } = said;
  const detail = status === null ? message : `${status}: ${message}`;
  if (status === 401 || status === 403) {
    return failing("key", "Key", detail, keyHint(target, status));
  }
  return failing("chat", "Chat", detail, chatHint(target, said, listed));
}

function chatHint({ model, baseUrl }: Target, { status }: Refused, listed: readonly string[]) {
  if (status === 404) {
    const near = suggestion(model, listed).replace(/^; /, "");
    const path = new URL(baseUrl).pathname.replace(/\/+$/, "");
    const at = /\/v\d/.test(path) ? "" : "; is /v1 missing at the end of the address?";
    return near || `there is no model ${model}, or no ${path}/chat/completions${at}`;
  }
  if (status === 429)
    return "too many requests, or no credit left: wait, or see the provider's limits";
  if (status !== null && status >= 500)
    return "the server is in trouble: see its log, or try again later";
  if (status === null)
    return "the model may still be loading: try again, or give --timeout SECONDS";
  if (status >= 300 && status < 400) return "give the address that it sends to";
  return "the endpoint's own words say what is wrong with the request";
}
