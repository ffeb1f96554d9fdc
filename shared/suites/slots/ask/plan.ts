import type { Answer } from "../../../contracts/answer.ts";
import type { ChatMessage } from "../../../contracts/chat-request.ts";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { SampleHead, Step, Unit, UnitTask } from "../../../contracts/runs/unit.ts";
import { eachRepeat } from "../../../measures/repeats.ts";
import { formatPrompts, memoryPrompt, type SlotsOptions } from "../options.ts";
import type { SlotsSample } from "../sample.ts";
import { storedText } from "./memory.ts";

/**
 * Sessions of a user that run one after the other. A unit runs within one message, whose time is limited on
 * Workers; with more sessions memory is cleared after every hundred.
 */
const maxSessions = 100;

/**
 * A unit for each repeat of each session; with cumulative memory a unit for each repeat of each user, in the order of
 * their first sessions: each repeat has its own memory.
 * Source: docs/spec/slots.md, data.
 * @example plan([{ id: "a", group: "u" }, { id: "b", group: "u" }], options).length // 2
 */
export function plan(heads: readonly SampleHead[], { memory, repeats }: SlotsOptions): Unit[] {
  if (memory === "per_session") return eachRepeat(heads, repeats);
  const users = Map.groupBy(heads.keys(), (at) => heads[at]!.group);
  return [...users.values()].flatMap((sessions) =>
    Array.from({ length: Math.ceil(sessions.length / maxSessions) }, (_, i) =>
      sessions.slice(i * maxSessions, (i + 1) * maxSessions),
    ).flatMap((samples) => Array.from({ length: repeats }, (_, repeat) => ({ samples, repeat }))),
  );
}

/**
 * One request per session, in session order; with cumulative memory it shows the slots stored by the earlier
 * replies. The answers are in the order of the unit's samples.
 * Source: docs/spec/slots.md, data.
 * @example next({ samples: [sample], options, repeat: 0 }, []).kind // "ask"
 */
export function next(
  { samples, options }: UnitTask<SlotsSample, SlotsOptions>,
  replies: readonly Answer[],
): Step {
  const order = sessionOrder(samples);
  const at = order[replies.length];
  if (at === undefined) {
    const answers: Answer[] = [];
    for (const [i, position] of order.entries()) answers[position] = replies[i]!;
    return { kind: "done", answers };
  }
  const sample = samples[at]!;
  const { format, memory, structuredOutput: mode } = options;
  const stored = memory === "cumulative" ? storedText(replies, format) : null;
  return {
    kind: "ask",
    sample: at,
    request: {
      messages: slotsMessages(sample, options, stored),
      ...(format === "json" && {
        structured: {
          name: "memory_slots",
          schema: answerSchema(sample.topics),
          mode,
          // Every field is optional, but strict modes require all of them.
          neverStrict: true as const,
        },
      }),
      temperature: options.temperature,
      maxTokens: options.maxTokens,
    },
  };
}

/** Runs of digits within a text compare as numbers: "s2" is before "s10", 2025-01-31 before 2025-02-01. */
const { compare } = new Intl.Collator("en", { numeric: true });

/**
 * Positions of sessions in the order in which they took place: numbers by value, before texts; texts in
 * alphabetical order, digits in them as numbers; equal ones in dataset order.
 * Source: docs/spec/slots.md, data.
 * @example sessionOrder([{ session: "s10" }, { session: "s2" }]) // [1, 0]
 */
export function sessionOrder(samples: readonly Pick<SlotsSample, "session">[]): number[] {
  return samples
    .map(({ session }, at) => ({ session, at }))
    .sort((a, b) => compareSessions(a.session, b.session))
    .map(({ at }) => at);
}

function compareSessions(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
  return compare(String(a), String(b));
}

const value: JsonObject = {
  anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
};

const closed = (properties: JsonObject): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
});

/**
 * The JSON Schema of an answer: the sample's topics and fields, all optional and no others; a value is a text or a
 * list of texts.
 * Source: docs/spec/slots.md, data.
 * @example answerSchema({ interests: ["food"] })["additionalProperties"] // false
 */
export function answerSchema(topics: SlotsSample["topics"]): JsonObject {
  const parts = Object.entries(topics).map(([topic, fields]) => {
    const properties = Object.fromEntries(fields.map((field) => [field, value]));
    return [topic, closed(properties)] as const;
  });
  return closed(Object.fromEntries(parts));
}

/**
 * The two messages sent to a model for a session, with `{topics}`, `{memory}`, `{conversation}` and
 * `{format}` filled in; filled-in text is never searched for placeholders. `stored` is what the model stored in
 * the user's earlier sessions, as text; null if each session has its own memory.
 * Source: docs/spec/slots.md, data.
 * @example slotsMessages(sample, options, null)[1].content // "Topics and their fields:\n…"
 */
export function slotsMessages(
  sample: SlotsSample,
  options: SlotsOptions,
  stored: string | null,
): ChatMessage[] {
  const parts: Record<string, () => string> = {
    topics: () => topicsText(sample.topics),
    conversation: () => sample.turns.map(({ role, content }) => `${role}: ${content}`).join("\n"),
    memory: () => (stored === null ? "" : memoryPrompt.replace("{stored}", () => stored)),
    format: () => formatPrompts[options.format],
  };
  const filled = (template: string) =>
    template.replace(/\{(topics|conversation|memory|format)\}/g, (_, name) => parts[name]!());
  return [
    { role: "system", content: filled(options.systemPrompt) },
    { role: "user", content: filled(options.userPrompt) },
  ];
}

const topicsText = (topics: SlotsSample["topics"]): string =>
  Object.entries(topics)
    .map(([topic, fields]) => `- ${topic}: ${fields.join(", ")}`)
    .join("\n");

/**
 * The prompt without the session: the templates, and the texts for format and memory.
 * @example promptParts(defaultOptions) // { system: "…", user: "…", format: "…", memory: null }
 */
export function promptParts({ systemPrompt, userPrompt, format, memory }: SlotsOptions): Json {
  return {
    system: systemPrompt,
    user: userPrompt,
    format: formatPrompts[format],
    memory: memory === "cumulative" ? memoryPrompt : null,
  };
}
