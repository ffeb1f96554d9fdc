import type { JsonObject } from "../../shared/contracts/json.ts";
import { emotions } from "../../shared/suites/memory/ask/emotions.ts";
import { traits } from "../../shared/suites/memory/ask/personality.ts";
import { checkSample, type MemorySample } from "../../shared/suites/memory/sample.ts";
import type { AdviceTask } from "../advice/advice-task.ts";
import { writeAdvice } from "../advice/write-advice.ts";
import { isOrder } from "../judging/orders.ts";
import { textGarbleKinds } from "../mistakes/garble.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { playAnswer } from "./play-answer.ts";
import { type Player, textKey } from "./player.ts";

/** Names and numbers as prompts have them, such as `fear 0.62`. */
const named = /\b(\p{L}+):? (\d(?:\.\d+)?)\b/gu;

/**
 * Answers what known people ask, where the system message holds what is stored about them: with advice
 * that uses the facts it has to, with the model's mistakes.
 */
export function memoryPlayer(rows: readonly JsonObject[]): Player {
  const samples = rows.flatMap(readSample);
  const byQuery = Map.groupBy(samples, ({ query }) => query.trim());
  return {
    claim(request) {
      const last = request.messages.at(-1);
      if (last?.role !== "user") return null;
      const asked = byQuery.get(last.text.trim());
      const sample = asked && byProfile(asked, systemText(request));
      if (sample === undefined) return null;
      const task = taskOf(sample, request);
      const { id, query, memory, history } = sample;
      return {
        key: textKey(JSON.stringify([query, memory, history])),
        id,
        answer: (play) =>
          playAnswer(play, textGarbleKinds, (made) => writeAdvice(task, { ...play, made })),
      };
    },
  };
}

function readSample(row: JsonObject): MemorySample[] {
  const checked = checkSample(row);
  return checked.ok ? [checked.value.sample] : [];
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function systemText({ messages }: ParsedChat): string {
  return oneLine(messages.flatMap(({ role, text }) => (role === "system" ? [text] : [])).join(" "));
}

/** Of samples with the same query, the one with most facts all of which the request holds. */
function byProfile(samples: readonly MemorySample[], system: string): MemorySample | undefined {
  const factsOf = ({ memory }: MemorySample) => Object.values(memory);
  return samples
    .filter((sample) => factsOf(sample).every((fact) => system.includes(oneLine(fact))))
    .toSorted((a, b) => factsOf(b).length - factsOf(a).length)[0];
}

/** What is planted in a profile is no fact, and not even a poor model speaks of it. */
function taskOf(sample: MemorySample, request: ParsedChat): AdviceTask {
  const { query, memory, required_keys: required, forbidden_keys: forbidden } = sample;
  const factOf = (key: string) => (Object.hasOwn(memory, key) ? [memory[key]!] : []);
  const numbers = Object.fromEntries(
    [...systemText(request).matchAll(named)].map(([, name, share]) => [name, Number(share)]),
  );
  return {
    query,
    emotion: pick(numbers, emotions),
    traits: pick(numbers, traits),
    required: required.flatMap(factOf),
    forbidden: forbidden
      .flatMap((key) => (Object.hasOwn(memory, key) ? factOf(key) : [key]))
      .filter((fact) => !isOrder(fact)),
    turns: request.messages.slice(0, -1).flatMap((m) => (m.role === "user" ? [m.text] : [])),
  };
}

function pick(numbers: Record<string, number>, names: readonly string[]): Record<string, number> {
  const known = names.filter((name) => numbers[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, numbers[name]!]));
}
