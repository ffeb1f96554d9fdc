import { type Answer, emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { drawsFrom } from "../../../simulator/draws.ts";
import { simulatedJudgments } from "../../demo-snapshot/simulated-judgments.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { eighthWrong, type Task } from "../support/extraction.ts";

/** A sample with more and more of something, and an answer to it. */
interface Growth {
  suite: string;
  /** What there is more of, and one of it. */
  of: string;
  one: string;
  what: string;
  sizes: readonly number[];
  made(size: number): { row: JsonObject; said: Pick<Answer, "output" | "toolCalls"> };
}

const counts = [10, 100, 1000];
const lengths = [1_000, 10_000, 50_000];

const growths: readonly Growth[] = [
  {
    suite: "slots",
    of: "slots",
    one: "slot",
    sizes: counts,
    what: "slots in topics of ten, every eighth wrong",
    made: (size) => session(byTopic(size, (i) => `value ${i} of some`)),
  },
  {
    suite: "slots",
    of: "values",
    one: "value",
    sizes: counts,
    what: "values in the list of one slot, every eighth wrong",
    made: (size) => {
      const list = sized(size, (i) => `value ${i} of some`);
      const stored = list.map((value, i) => (i % 8 === 7 ? `${value}, or so` : value));
      return session({ topic: { list } }, { topic: { list: stored } });
    },
  },
  {
    suite: "slots",
    of: "chars",
    one: "character",
    sizes: lengths,
    what: "characters in the value of one slot, every eighth word wrong",
    made: (size) => {
      const text = prose(size);
      const stored = text.replace(/((?:\S+\s+){7})\S+/g, "$1other");
      return session({ topic: { text } }, { topic: { text: stored } });
    },
  },
  {
    suite: "tools",
    of: "calls",
    one: "call",
    sizes: [4, 16, 64],
    what: "calls of one function, every eighth argument wrong",
    made: (size) => {
      const calls = sized(size, (i) => ({ count: i, to: `person ${i} of the list` }));
      return conversation(calls, eighthWrong(calls) as JsonObject[]);
    },
  },
  {
    suite: "tools",
    of: "elements",
    one: "element",
    sizes: counts,
    what: "elements in the array of one argument, all of them right",
    made: (size) => conversation([{ list: sized(size, (i) => `person ${i} of the list`) }]),
  },
  {
    suite: "tools",
    of: "chars",
    one: "character",
    sizes: lengths,
    what: "characters in one argument, all of them right",
    made: (size) => conversation([{ text: prose(size) }]),
  },
  {
    suite: "quality",
    of: "chars",
    one: "character",
    sizes: lengths,
    what: "characters in the response",
    made: (size) => ({
      row: { id: "grown", prompt: "Tell how bread is made at home, step by step." },
      said: { output: prose(size), toolCalls: null },
    }),
  },
  {
    suite: "memory",
    of: "facts",
    one: "fact",
    sizes: [10, 100, 500],
    what: "facts stored, every eighth required and used, judged",
    made: (size) => question(size, 1_000),
  },
  {
    suite: "memory",
    of: "chars",
    one: "character",
    sizes: lengths,
    what: "characters in the advice, judged",
    made: (size) => question(10, size),
  },
];

/** What scoring costs where a sample of another suite than `extraction` holds more: whether it grows with it alone. */
export const suiteGrowth: readonly Bench[] = growths.map(({ suite: id, of, one, ...growth }) => ({
  rows: growth.sizes.map((size) => ({
    name: `scoring/${id}-${of}-${size}`,
    what: `${id}: ${size.toLocaleString("en")} ${growth.what}`,
    unit: `µs/${one}`,
  })),
  prepare({ minMs, scale }) {
    const suite = suiteById(id) as Suite;
    const options: unknown = suite.optionsSchema.parse({});
    const sizes = growth.sizes.map((size) => Math.max(2, Math.round(size * Math.min(1, scale))));
    const tasks = sizes.map((size) => judged(suite, growth.made(size)));
    return () =>
      tasks.map(({ sample, answer }, i) => {
        const ms = cpuMs(minMs / tasks.length, () => suite.score(sample, answer, options));
        return (ms * 1000) / sizes[i]!;
      });
  },
}));

/** The sample, checked, with the answer and what a simulated judge says of it where judges are asked. */
function judged(suite: Suite, { row, said }: ReturnType<Growth["made"]>): Task {
  const checked = suite.checkSample(row);
  if (!checked.ok) throw new Error(`${suite.id}: ${checked.error}`);
  const { sample } = checked.value;
  const answer: Answer = { ...emptyAnswer, ...said, latencyMs: 800, outputTokens: 150 };
  const options: unknown = suite.optionsSchema.parse({});
  const asked = suite.judging?.choice(options) ? suite.judging.tasks(sample, answer, options) : [];
  if (asked.length === 0) return { sample, answer };
  return {
    sample,
    answer: { ...answer, judgments: simulatedJudgments(asked, drawsFrom("bench", suite.id)) },
  };
}

const sized = <T>(size: number, at: (i: number) => T): T[] =>
  Array.from({ length: size }, (_, i) => at(i));

const topicSize = 10;

function byTopic(size: number, value: (i: number) => string): Record<string, JsonObject> {
  const topics = sized(Math.ceil(size / topicSize), (t) => {
    const its = sized(Math.min(topicSize, size - t * topicSize), (i) => t * topicSize + i);
    return [`topic${t}`, Object.fromEntries(its.map((i) => [`field${i}`, value(i)]))] as const;
  });
  return Object.fromEntries(topics);
}

function session(
  expected: Record<string, JsonObject>,
  stored: Json = eighthWrong(expected),
): ReturnType<Growth["made"]> {
  const topics = Object.entries(expected).map(([name, fields]) => [name, Object.keys(fields)]);
  return {
    row: {
      id: "grown",
      user: "someone",
      session: 1,
      expected,
      turns: [{ role: "user", content: "Here is all about me." }],
      topics: Object.fromEntries(topics),
    },
    said: { output: JSON.stringify(stored), toolCalls: null },
  };
}

function conversation(calls: JsonObject[], made: JsonObject[] = calls): ReturnType<Growth["made"]> {
  const name = "tell";
  const expected = calls.map((given) => ({ name, arguments: given }));
  const properties = {
    count: { type: "integer" },
    to: { type: "string" },
    text: { type: "string" },
    list: { type: "array", items: { type: "string" } },
  };
  return {
    row: {
      id: "grown",
      difficulty: "hard",
      expected_calls: expected,
      messages: [{ role: "user", content: "Tell all of them." }],
      tools: [{ type: "function", function: { name, parameters: { type: "object", properties } } }],
    },
    said: {
      output: null,
      toolCalls: structuredClone(made).map((given) => ({ name, arguments: given })),
    },
  };
}

function question(facts: number, chars: number): ReturnType<Growth["made"]> {
  const keys = sized(facts, (i) => `fact_${i}`);
  const memory = Object.fromEntries(
    keys.map((key, i) => [key, `Takes the ${noun(i)} of number ${i}`]),
  );
  const required = keys.filter((_, i) => i % 8 === 0);
  const used = required.map((key) => memory[key]).join(". ");
  return {
    row: {
      id: "grown",
      query: "What should I do about my back?",
      memory,
      required_keys: required,
      neutral_keys: keys.filter((_, i) => i % 8 !== 0),
    },
    said: { output: `${used}. ${prose(chars)}`, toolCalls: null },
  };
}

const nouns = "flour water oven salt dough hour bowl crust heat morning".split(" ");
const noun = (i: number) => nouns[(i * 7) % nouns.length]!;

/** Sentences and paragraphs of so many characters. */
function prose(chars: number): string {
  let text = "";
  for (let i = 0; text.length < chars; i++)
    text += `The ${noun(i)} ${i} stands beside the ${noun(i + 3)}, since it helps${i % 6 === 5 ? ".\n\n" : ". "}`;
  return text.slice(0, chars);
}
