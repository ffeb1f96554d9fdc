import { Validator } from "@cfworker/json-schema";
import { expect, test } from "vitest";
import type { Answer } from "../../../contracts/answer.ts";
import { anAnswer, aSample } from "../__fixtures__/build.ts";
import { defaultOptions, type SlotsOptions } from "../options.ts";
import { answerSchema, next, plan, promptParts, sessionOrder, slotsMessages } from "./plan.ts";

const heads = ["u", "v", "u", "v", "w"].map((group, i) => ({ id: `s${i}`, group }));
const cumulative: SlotsOptions = { ...defaultOptions, memory: "cumulative" };

test("plan() makes one unit per session", () => {
  expect(plan(heads, defaultOptions)).toEqual(heads.map((_, at) => ({ samples: [at], repeat: 0 })));
});

test("plan() makes one unit per user with cumulative memory", () => {
  expect(plan(heads, cumulative).map(({ samples }) => samples)).toEqual([[0, 2], [1, 3], [4]]);
});

test("plan() makes a separate unit for each repeat of a session or, with cumulative memory, of a user", () => {
  const twice = plan(heads.slice(0, 2), { ...defaultOptions, repeats: 2 });
  expect(twice).toEqual([
    { samples: [0], repeat: 0 },
    { samples: [0], repeat: 1 },
    { samples: [1], repeat: 0 },
    { samples: [1], repeat: 1 },
  ]);
  const users = plan(heads, { ...cumulative, repeats: 2 });
  expect(users.map(({ samples, repeat }) => [samples, repeat])).toEqual([
    [[0, 2], 0],
    [[0, 2], 1],
    [[1, 3], 0],
    [[1, 3], 1],
    [[4], 0],
    [[4], 1],
  ]);
});

test("plan() splits a user with more than 100 sessions into several units", () => {
  const sessions = Array.from({ length: 250 }, (_, i) => ({ id: `s${i}`, group: "u" }));
  const units = plan(sessions, cumulative);
  expect(units.map(({ samples }) => samples.length)).toEqual([100, 100, 50]);
  expect(units.flatMap(({ samples }) => samples)).toEqual([...sessions.keys()]);
});

/** The requests and the final answers of a unit if the k-th request gets the k-th reply. */
function carriedOut(
  sessions: (string | number)[],
  options: SlotsOptions,
  replies: Answer[],
): { asked: string[]; answers: Answer[] } {
  const samples = sessions.map((session) =>
    aSample({}, { session, turns: [{ role: "user", content: `session ${session}` }] }),
  );
  const asked: string[] = [];
  for (let given = 0; ; given++) {
    const step = next({ samples, options, repeat: 0 }, replies.slice(0, given));
    if (step.kind === "done") return { asked, answers: step.answers };
    asked.push(step.request.messages[1]!.content);
  }
}

test("next() sends one request for a session and returns the reply as its answer", () => {
  const reply = anAnswer("{}");
  const { asked, answers } = carriedOut([1], defaultOptions, [reply]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).not.toMatch(/earlier sessions/);
  expect(answers).toEqual([reply]);
});

test("next() sends a JSON Schema for the format json only", () => {
  const task = { samples: [aSample({})], options: defaultOptions, repeat: 0 };
  expect(next(task, [])).toMatchObject({
    kind: "ask",
    request: {
      structured: { name: "memory_slots", mode: "auto", schema: { type: "object" } },
      temperature: 0,
      maxTokens: 2048,
    },
  });
  const step = next({ ...task, options: { ...defaultOptions, format: "lines" } }, []);
  expect(step.kind === "ask" && "structured" in step.request).toBe(false);
});

test("next() asks in session order, shows the stored slots, and returns answers in sample order", () => {
  const replies = ["x", "y", "z"].map((food) => anAnswer(`{"interests": {"food": "${food}"}}`));
  const { asked, answers } = carriedOut(["s10", "s9", "s11"], cumulative, replies);
  expect(asked.map((text) => /session s\d+/.exec(text)?.[0])).toEqual([
    "session s9",
    "session s10",
    "session s11",
  ]);
  const stored = asked.map((text) => /earlier sessions of this user:\n(.*)\n/.exec(text)?.[1]);
  expect(stored).toEqual(["{}", '{"interests":{"food":"x"}}', '{"interests":{"food":"y"}}']);
  expect(answers.map(({ output }) => output)).toEqual([1, 0, 2].map((i) => replies[i]?.output));
});

test.each([
  [[], []],
  [
    [3, 1, 2],
    [1, 2, 0],
  ],
  [
    ["s10", "s9"],
    [1, 0],
  ],
  [
    ["2025-02-01", "2025-01-31"],
    [1, 0],
  ],
  [
    ["a", "a"],
    [0, 1],
  ],
  [
    ["1", 10, 9],
    [2, 1, 0],
  ],
])("sessionOrder() of %j is %j", (sessions: (string | number)[], order: number[]) => {
  expect(sessionOrder(sessions.map((session) => ({ session })))).toEqual(order);
});

const schema = answerSchema({ basic_info: ["name", "age"], mood: [] });
const validator = new Validator(schema);

test.each([
  [{}, true],
  [{ basic_info: {} }, true],
  [{ basic_info: { name: "Ada" } }, true],
  [{ basic_info: { name: ["Ada", "A."], age: "36" }, mood: {} }, true],
  [{ basic_info: { age: 36 } }, false],
  [{ basic_info: { size: "3" } }, false],
  [{ pets: {} }, false],
  [{ mood: { now: "glad" } }, false],
  [{ basic_info: "Ada" }, false],
  [[], false],
])("answerSchema() accepts %j: %s", (answer, valid) => {
  expect(validator.validate(answer).valid).toBe(valid);
});

const turns = [
  { role: "user", content: "I'm Ada." },
  { role: "assistant", content: "$& {topics} {memory}" },
];
const sample = aSample({ basic_info: { name: "Ada" } }, { turns });

test("slotsMessages() fills in topics, conversation and format", () => {
  const [system, user] = slotsMessages(sample, defaultOptions, null);
  expect(system?.content).toMatch(/^You keep an assistant's memory of its user\./);
  expect(user?.content).toBe(
    'Topics and their fields:\n- basic_info: name, age\n- interests: food\n\nConversation session:\nuser: I\'m Ada.\nassistant: $& {topics} {memory}\n\nAnswer with JSON alone: {"<topic>": {"<field>": "value" or ["value", "value"]}}. Answer {} if there is nothing to store.',
  );
});

test("slotsMessages() inserts the stored slots without replacing placeholders in them", () => {
  const options = { ...defaultOptions, systemPrompt: "s", userPrompt: "<{memory}|{format}>" };
  const [, user] = slotsMessages(sample, { ...options, format: "lines" }, "$& {format} {stored}");
  expect(user?.content).toMatch(/^<Slots you stored .*:\n\$& \{format\} \{stored\}\n\nStore only/);
  expect(user?.content).toMatch(/topic::field::value, value\. Answer NONE .*>$/);
});

test("promptParts() changes with template, format and memory, not with other options", () => {
  const parts = (part: Partial<typeof defaultOptions>) =>
    JSON.stringify(promptParts({ ...defaultOptions, ...part }));
  expect(parts({ asciiOnly: false, temperature: 1 })).toBe(parts({}));
  const all = [
    {},
    { format: "lines" },
    { memory: "cumulative" },
    { systemPrompt: "s" },
    { userPrompt: "u" },
  ] as const;
  expect(new Set(all.map(parts)).size).toBe(all.length);
});
