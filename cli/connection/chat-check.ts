import { suggestion } from "../suggestion.ts";
import { keyHint } from "./access-checks.ts";
import type { Asker, Refused } from "./ask.ts";
import { type Check, failing, passed, type Target } from "./check.ts";

/** Enough for a model that thinks before it says something. */
const MAX_TOKENS = 1024;
const question = { messages: [{ role: "user", content: "Say hello in one word." }] };

/** What every further request has beside its messages, as the endpoint takes it. */
export interface Usual {
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
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
