import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import { givenJudgments } from "../../contracts/judging/given-judgments.ts";
import type { ExtractionSample } from "../extraction/sample.ts";
import { perfect as perfectAdvice } from "../memory/__fixtures__/build.ts";
import type { MemorySample } from "../memory/sample.ts";
import type { PairsSample } from "../pairs/sample.ts";
import type { SlotsSample } from "../slots/sample.ts";
import { bankRow } from "../tools/__fixtures__/bank.ts";
import type { ToolsSample } from "../tools/sample.ts";
import { likeliestCall } from "../tools/turns/truth.ts";

/** Example data of a suite for the contract tests. */
export interface SuiteExample {
  /** Three or more valid dataset rows. */
  rows: unknown[];
  /** Invalid rows. */
  malformed: unknown[];
  /** An answer with the maximum score. */
  perfect(sample: unknown): Answer;
}

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
  required: ["name"],
};

const extraction: SuiteExample = {
  rows: ["Ada", "Grace", "Edsger", "Barbara"].map((name, i) => ({
    id: `sample-${i}`,
    text: `${name} paid ${i}.5.`,
    schema,
    expected_output: { name, items: [{ price: i + 0.5 }, { price: 7 }] },
    tags: { language: "en" },
  })),
  malformed: [
    { id: "no-schema", text: "x", expected_output: {} },
    { id: "does-not-fit", text: "x", schema, expected_output: { name: 5 } },
  ],
  perfect: (sample) => ({
    ...emptyAnswer,
    output: JSON.stringify((sample as ExtractionSample).expected_output),
  }),
};

/** The second session expects twice as many slots as the first, so F1 is 0.5 if the second fails. */
const slots: SuiteExample = {
  rows: [1, 2, 2, 1].map((count, i) => ({
    id: `sample-${i}`,
    user: `user-${i}`,
    session: 1,
    turns: [{ role: "user", content: "I am Ada, and I like chess." }],
    topics: { basic_info: ["name"], interests: ["hobby"] },
    expected: { basic_info: { name: "Ada" }, ...(count > 1 && { interests: { hobby: "chess" } }) },
    tags: { language: "en" },
  })),
  malformed: [
    { id: "no-turns", user: "ada", session: 1, topics: {}, expected: {} },
    { id: "no-user", session: 1, turns: [{ role: "user", content: "hi" }] },
  ],
  perfect: (sample) => ({
    ...emptyAnswer,
    output: JSON.stringify((sample as SlotsSample).expected),
  }),
};

const quality: SuiteExample = {
  rows: [0, 1, 2, 3].map((i) => ({
    id: `sample-${i}`,
    prompt: "Photosynthesis converts sunlight chemically",
    tags: { domain: "biology" },
  })),
  malformed: [{ id: "no-prompt" }, { id: "not-a-text", prompt: 5 }],
  perfect: () => ({
    ...emptyAnswer,
    output:
      "Photosynthesis consequently converts sunlight chemically, ultimately nourishing vegetation, sustaining ecosystems",
  }),
};

const tools: SuiteExample = {
  rows: [
    ...["easy", "medium", "hard", "easy"].map((difficulty, i) => ({
      id: `sample-${i}`,
      difficulty,
      tags: { domain: "weather" },
      messages: [{ role: "user", content: `Weather in ${i}?` }],
      tools: ["get_weather", "set_alarm"].slice(0, difficulty === "easy" ? 1 : 2).map((name) => ({
        type: "function",
        function: { name, parameters: { type: "object" } },
      })),
      expected_calls: Array.from({ length: difficulty === "hard" ? 2 : 1 }, (_, call) => ({
        name: "get_weather",
        arguments: { city: `${i}`, call },
      })),
    })),
    bankRow,
  ],
  malformed: [
    { id: "no-level", messages: [{ role: "user", content: "hi" }], tools: [], expected_calls: [] },
    {
      id: "no-such-tool",
      difficulty: "easy",
      messages: [{ role: "user", content: "hi" }],
      tools: [],
      expected_calls: [{ name: "ping", arguments: {} }],
    },
  ],
  perfect(sample) {
    const { conversation, expected_calls: calls } = sample as ToolsSample;
    const step = { output: null, latencyMs: 0, inputTokens: 1, outputTokens: 1 };
    const turns = conversation?.turns.map((turn) => [
      { ...step, toolCalls: turn.calls.map(likeliestCall) },
    ]);
    const said = turns === undefined ? { toolCalls: calls } : { turns, output: "Done." };
    return { ...emptyAnswer, source: "on-device", latencyMs: 0, ...said };
  },
};

/** One more row than there are scored answers, so that the last row gets an unjudged answer. */
const memory: SuiteExample = {
  rows: [0, 1, 2, 3, 4].map((i) => ({
    id: `sample-${i}`,
    query: "Can I run again?",
    tags: { topic: "sport" },
    memory: { knee: "operated in May", diet: "vegan" },
    required_keys: ["knee"],
    forbidden_keys: ["diet"],
  })),
  malformed: [
    { id: "no-memory", query: "Can I run again?" },
    { id: "in-two", query: "?", memory: {}, required_keys: ["a"], forbidden_keys: ["a"] },
  ],
  perfect: (sample) => ({
    ...emptyAnswer,
    output: "Spare the knee for a month.",
    judgments: givenJudgments({
      ...perfectAdvice,
      memory_utilization: { cited_keys: (sample as MemorySample).required_keys },
    }),
  }),
};

/** One more row than there are scored answers, as in `memory`. */
const rubric: SuiteExample = {
  rows: [0, 1, 2, 3, 4].map((i) => ({
    id: `sample-${i}`,
    query: "How do I stop a dripping tap?",
    reference: "Turn off the water and replace the washer.",
    tags: { topic: "home" },
  })),
  malformed: [
    { id: "no-query" },
    { id: "no-text", query: "Why?", context: 5 },
    { id: "no-grade", query: "Why?", human: { correct: "good" } },
  ],
  perfect: () => ({
    ...emptyAnswer,
    output: "Close the valve, then fit a new washer.",
    judgments: givenJudgments({
      correct: { score: 4 },
      complete: { score: 4 },
      usable: { score: 3 },
      padding: { score: 0 },
    }),
  }),
};

const pairs: SuiteExample = {
  rows: [1, 2, 2, 1].map((label, i) => ({
    id: `sample-${i}`,
    input: `Name a colour that starts with ${"bgry"[i]}.`,
    output_1: label === 1 ? `It is ${i}: right.` : "No.",
    output_2: label === 2 ? `It is ${i}: right.` : "No.",
    label,
    models: label === 1 ? { a: "good", b: "bad" } : { a: "bad", b: "good" },
    tags: { language: "en" },
  })),
  malformed: [
    { id: "no-answer", input: "Hi", output_1: "Hi!" },
    { id: "no-such-label", input: "Hi", output_1: "Hi!", output_2: "Ho!", label: 3 },
  ],
  perfect: (sample) => {
    const { label } = sample as PairsSample;
    return { ...emptyAnswer, output: JSON.stringify({ given: label, swapped: label }) };
  },
};

/** Examples of every registered suite, by suite id. */
export const examples: Readonly<Record<string, SuiteExample>> = {
  extraction,
  slots,
  tools,
  quality,
  memory,
  rubric,
  pairs,
};
