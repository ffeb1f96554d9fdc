import type { Answer } from "../../../contracts/answer.ts";
import type { SampleHead, Step, Unit, UnitTask } from "../../../contracts/suite.ts";
import type { SlotsOptions } from "../options.ts";
import type { SlotsSample } from "../sample.ts";
import { answerSchema } from "./answer-schema.ts";
import { storedText } from "./memory.ts";
import { slotsMessages } from "./prompt.ts";
import { sessionOrder } from "./session-order.ts";

/**
 * Sessions of a user that run one after the other. A unit is carried out in one go, which may take as long
 * as a Worker may work on a message; with more sessions memory begins anew after each hundred.
 */
const maxSessions = 100;

/**
 * A unit for each session; with cumulative memory a unit for each user, in the order of their first
 * sessions.
 * Source: docs/spec/slots.md, data.
 * @example plan([{ id: "a", group: "u" }, { id: "b", group: "u" }], options).length // 2
 */
export function plan(heads: readonly SampleHead[], { memory }: SlotsOptions): Unit[] {
  if (memory === "per_session") return heads.map((_, at) => ({ samples: [at], repeat: 0 }));
  const users = new Map<string | null, number[]>();
  for (const [at, { group }] of heads.entries()) {
    const sessions = users.get(group);
    if (sessions === undefined) users.set(group, [at]);
    else sessions.push(at);
  }
  return [...users.values()].flatMap((sessions) =>
    Array.from({ length: Math.ceil(sessions.length / maxSessions) }, (_, i) => ({
      samples: sessions.slice(i * maxSessions, (i + 1) * maxSessions),
      repeat: 0,
    })),
  );
}

/**
 * One request a session, in the order of the sessions; with cumulative memory it shows the slots that the
 * replies so far stored. The answers are those of the unit's samples, in the samples' order.
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
    request: {
      messages: slotsMessages(sample, options, stored),
      ...(format === "json" && {
        structured: {
          name: "memory_slots",
          schema: answerSchema(sample.topics),
          mode,
          // Every field can be left out, and strict modes want all of them.
          neverStrict: true as const,
        },
      }),
      temperature: options.temperature,
      maxTokens: options.maxTokens,
    },
  };
}
