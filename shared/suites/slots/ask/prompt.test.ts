import { expect, test } from "vitest";
import { aSample } from "../__fixtures__/build.ts";
import { defaultOptions } from "../options.ts";
import { promptParts, slotsMessages } from "./prompt.ts";

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

test("slotsMessages() shows what is stored, and never searches it for placeholders", () => {
  const options = { ...defaultOptions, systemPrompt: "s", userPrompt: "<{memory}|{format}>" };
  const [, user] = slotsMessages(sample, { ...options, format: "lines" }, "$& {format} {stored}");
  expect(user?.content).toMatch(/^<Slots you stored .*:\n\$& \{format\} \{stored\}\n\nStore only/);
  expect(user?.content).toMatch(/topic::field::value, value\. Answer NONE .*>$/);
});

test("promptParts() differ by template, format and memory, not by what scoring is told", () => {
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
