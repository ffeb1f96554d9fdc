import type { Asker, Refused } from "./ask.ts";
import type { Usual } from "./chat-check.ts";
import { type Check, lacking, passed } from "./check.ts";

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
