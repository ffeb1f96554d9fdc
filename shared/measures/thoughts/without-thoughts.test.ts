import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitThoughts } from "./without-thoughts.ts";

const families = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<reasoning>", "</reasoning>"],
  ["<thought>", "</thought>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<Think>", "</THINK>"],
  ['<think type="deep">', "</think >"],
] as const;

const json = '{"vendor": "Brot", "total": 41.5}';

describe.each(families)("splitThoughts() with %s and %s", (open, close) => {
  test.each([
    ["before the answer", `${open}\nHm.\n${close}\n\n${json}`, json, "Hm."],
    ["on the answer's line", `${open}Hm.${close}${json}`, json, "Hm."],
    ["before prose in lower case", `${open}Hm.${close} yes`, "yes", "Hm."],
    ["after the answer", `${json}\n\n${open}\nHm.\n${close}`, json, "Hm."],
    ["after the answer, on its line", `It is 4. ${open}Hm.${close}`, "It is 4.", "Hm."],
    ["before and after", `${open}A${close}\n${json}\n${open}B${close}\n`, json, "A\n\nB"],
    ["several before", `${open}A${close}\n${open}B${close}${json}`, json, "A\n\nB"],
    [
      "in the middle, on lines of its own",
      `One.\n${open}\nHm.\n${close}\nTwo.`,
      "One.\n\nTwo.",
      "Hm.",
    ],
    ["empty", `${open}\n\n${close}\n\n${json}`, json, ""],
    ["nested", `${open}a ${open}b${close} c${close}${json}`, json, `a ${open}b${close} c`],
    [
      "nested twice",
      `${open}${open}${open}a${close}${close}b${close}4`,
      "4",
      `${open}${open}a${close}${close}b`,
    ],
    [
      "nested twice",
      `${open}a${open}b${close}${open}c${close}d${close}4`,
      "4",
      `a${open}b${close}${open}c${close}d`,
    ],
    ["nested, one unclosed", `${open}say ${open} here${close}\n${json}`, json, `say ${open} here`],
    ["closed alone", `Hm.\n${close}\n\n${json}`, json, "Hm."],
    ["closed alone, on a line", `It is 4${close}Four.`, "Four.", "It is 4"],
    ["closed alone after a sentence", `So it is 4. ${close} four`, "four", "So it is 4."],
    ["closed alone at the start", `${close}\n${json}`, json, ""],
    ["closed twice at the start", `${open}a${close}\n${close}\n${json}`, json, "a"],
    ["closed alone, then a block after", `Hm.\n${close}\n4\n${open}ok${close}`, "4", "Hm.\n\nok"],
    [
      "closed alone after a mention",
      `I write ${open} in the title.\n${close}\n${json}`,
      json,
      `I write ${open} in the title.`,
    ],
    ["never closed at the start", `${open}\nDraft: ${json} but`, null, `Draft: ${json} but`],
    ["never closed and empty", `${open}`, null, ""],
    ["never closed after the answer", `It is 4.\n\n${open}Is it`, "It is 4.", "Is it"],
    ["never closed after JSON", `${json}\n${open}\nIs it`, json, "Is it"],
    ["alone", `${open}Hm.${close}`, null, "Hm."],
    ["after blanks", ` \n\t${open}Hm.${close}\n4`, "4", "Hm."],
    [
      "around a fenced draft",
      `${open}\n\`\`\`json\n{"total": 1}\n${close}\n\`\`\`json\n${json}\n\`\`\``,
      `\`\`\`json\n${json}\n\`\`\``,
      '```json\n{"total": 1}',
    ],
    [
      "after an unclosed fence, closed alone",
      `\`\`\`json\n{"total": 1}\n${close}\n\`\`\`json\n${json}\n\`\`\``,
      `\`\`\`json\n${json}\n\`\`\``,
      '```json\n{"total": 1}',
    ],
    ["around unbalanced braces", `${open}{"a": "{{${close}${json}`, json, '{"a": "{{'],
    ["around another family", `${open}<b>${close}${json}`, json, "<b>"],
    ["around an answer in tags", `${open}Hm.${close}<answer>${json}</answer>`, json, "Hm."],
    [
      "before tags as data",
      `${open}Hm.${close}\n{"t": "${open} a ${close} b"}`,
      `{"t": "${open} a ${close} b"}`,
      "Hm.",
    ],
    [
      "before tags as data, amid words",
      `${open}Hm.${close}\nSo: {"t": "${open}a${close} b"} it is`,
      `So: {"t": "${open}a${close} b"} it is`,
      "Hm.",
    ],
    [
      "with a quoted closing tag",
      `${open}Hm.${close}\nIt ends at "${close}" there.`,
      `It ends at "${close}" there.`,
      "Hm.",
    ],
  ])("removes thoughts %s", (_, text, answer, thoughts) => {
    // The quotes of an attribute would end a JSON string.
    if (open.includes('"') && text.includes('{"t"')) return;
    expect(splitThoughts(text)).toEqual({ answer, thoughts, calls: [] });
  });

  test.each([
    ["in a sentence", `Models open thoughts with ${open} and then close them.`],
    ["both in a sentence", `Models write ${open} and then ${close} before they answer.`],
    ["with words between, in a sentence", `A block like ${open}hm${close} is hidden.`],
    ["closing, in a sentence", `Thoughts end with ${close} and then comes the answer.`],
    ["closing, before a full stop", `Thoughts end with ${close}.`],
    ["in a sentence over two lines", `Models use tags such as\n${open} and ${close} to mark them.`],
    ["in quotes", `It is marked by "${close}" or '${open}'.`],
    ["in parentheses", `The tags (${open}, ${close}) are special.`],
    ["around a word in quotes", `It turns "${open}hm${close}yes" into “yes”.`],
    ["around all in quotes", `"${open}hm${close}" is one. (${open}hm${close}) is, too.`],
    ["in bold", `Look at **${open}** and **${close}**.`],
    ["in inline code", `Write \`${open}hm${close}\` for it. Then \`${close}\` ends.`],
    ["in a code fence", `To strip it:\n\n\`\`\`\n${open}\nhm\n${close}\n\`\`\`\n\nThat is all.`],
    ["in a fence of tildes", `~~~xml\n${open}\nhm\n${close}\n~~~`],
    ["in a fence in a fence", `\`\`\`\`md\n\`\`\`js\nx\n\`\`\`\n${open}\nhm\n${close}\n\`\`\`\``],
    ["in a fence that was cut off", `See:\n\n\`\`\`xml\n${open}\nhm`],
    ["in indented code", `See:\n\n    ${open}\n    hm and so on`],
    ["in a list", `- ${open}: begins thoughts\n- ${close}: ends them`],
    ["in JSON", JSON.stringify({ title: `Why ${open} tags`, quote: `up to ${close} it is` })],
    ["in JSON that was cut off", `{"quote": "The end.${close}Then it`],
    ["in JSON amid words", `Here: ${JSON.stringify({ quote: `It ends.${close}Then` })} is it.`],
    ["in a JSON array", JSON.stringify([open, close])],
    ["in a JSON string", JSON.stringify(`${open}a${close}`)],
  ])("keeps tags %s", (_, text) => {
    expect(splitThoughts(text)).toEqual({ answer: text, thoughts: null, calls: [] });
  });

  test.each([
    [`${open}A${close}${json}`, json, "A"],
    [`${close}${json}`, json, ""],
    [`${open}A`, null, "A"],
  ])("reads %j also if the endpoint sent thoughts separately", (text, answer, thoughts) => {
    expect(splitThoughts(text, true)).toEqual({ answer, thoughts, calls: [] });
  });

  test.each([`Hm.\n${close}\n${json}`, `${json}\n${open}Hm.${close}`, `${json}\n\n${open}\nHm.`])(
    "does not change %j if the endpoint sent thoughts separately",
    (text) => {
      expect(splitThoughts(text, true).answer).toBe(text);
    },
  );
});

test.each([
  ["<think>A</think>\n<answer>\n4\n</answer>", "4"],
  ["<answer>4</answer>", "4"],
  ["<think>A</think><answer>4", "4"],
  ["<think>A</think>\n4</answer>", "4"],
  ["<answer><think>A</think>4</answer>", "4"],
  ["A\n</think>\n<answer>4</answer>", "4"],
  ["<think>A</think><answer>4</answer>\n<think>B</think>", "4"],
  ["<ANSWER>4</Answer>", "4"],
  ['<answer>{"t": "</answer>"}</answer>', '{"t": "</answer>"}'],
  ["Here it is:\n<answer>4</answer>", "Here it is:\n4"],
  ["<|START_RESPONSE|>4<|END_RESPONSE|>", "4"],
  ["<|START_THINKING|>A<|END_THINKING|><|START_RESPONSE|>4", "4"],
  ["A<|END_THINKING|><|START_RESPONSE|>4<|END_RESPONSE|>", "4"],
  ["<|START_THINKING|>A<|START_RESPONSE|>4<|END_RESPONSE|>", "4"],
  ["<think>A</think><response>4</response>", "4"],
])("splitThoughts() unwraps the answer of %j", (text, answer) => {
  expect(splitThoughts(text).answer).toBe(answer);
});

test.each([
  "Wrap it in <answer> and </answer> tags.",
  "Use `<answer>4</answer>` for it.",
  "```\n<answer>4</answer>\n```",
  '{"t": "<answer>4</answer>"}',
  "<response><status>ok</status></response>",
  "Thought: the user takes the train.\n4",
  "Reasoning: it has no divisor.\n\nAnswer: yes.",
  "Thinking...\n4",
  "I think <b>so</b>.",
  "[think](https://example.com) about it",
  "&lt;think&gt;A&lt;/think&gt;4",
  "Final answer: 4",
  "<thinker>A</thinker>4",
  "<reflection>A</reflection>4",
  "Here is my response:\n4",
  "Here is my thought process:\nIt has no divisor.",
  "It says: Here is my thought process:\nA\nHere is my response:\n4",
  "analysis of the data: assistant analysis",
  "analysis is what we need",
  "As in:\n\n```\nA<|end|><|start|>assistant<|channel|>final<|message|>4\n```\n",
  "",
  " \n",
])("splitThoughts() does not change %j", (text) => {
  expect(splitThoughts(text)).toEqual({ answer: text, thoughts: null, calls: [] });
});

test.each([
  ["Here is my thought process:\nA\nHere is my response:\n4", "4", "A"],
  ["Here's my thought process: A. Here's my response: 4", "4", "A."],
  ["Here is my thought process:\nA\n\nHere is my response: 4", "4", "A"],
])("splitThoughts() reads Granite's sentences in %j", (text, answer, thoughts) => {
  expect(splitThoughts(text)).toEqual({ answer, thoughts, calls: [] });
});

const call = '<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>';

test.each([
  [
    "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>4",
    "4",
    "A",
  ],
  ["<|start|>assistant<|channel|>final<|message|>4<|return|>", "4", ""],
  ["A<|end|><|start|>assistant<|channel|>final<|message|>4<|return|>", "4", "A"],
  ["<|channel|>analysis<|message|>A: 4", null, "A: 4"],
  [
    "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>analysis<|message|>B<|end|><|start|>assistant<|channel|>final<|message|>4<|end|>",
    "4",
    "A\n\nB",
  ],
  ["<|channel|>analysis<|message|>A<|channel|>final<|message|>4", "4", "A"],
  ["<|channel|>final<|message|><think>A</think>4<|return|>", "4", "A"],
  ["analysisWe add.assistantfinal4", "4", "We add."],
  ["analysis We add.assistantfinal4", "4", "We add."],
  ["analysisWe add. It is 4", null, "We add. It is 4"],
  ["analysisA. assistantcommentaryB.assistantfinal4", "4", "A.\n\nB."],
])("splitThoughts() reads the channels of %j", (text, answer, thoughts) => {
  expect(splitThoughts(text)).toEqual({ answer, thoughts, calls: [] });
});

const f = { name: "f", arguments: { a: 1 } };
const block = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>';

test.each([
  [
    "a call in harmony",
    `<|channel|>analysis<|message|>A<|end|><|start|>assistant${call}`,
    null,
    [f],
  ],
  ["two calls in harmony", `${call}<|start|>assistant${call}`, null, [f, f]],
  [
    "a call to an assistant's own header",
    '<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"a": 1}',
    null,
    [f],
  ],
  [
    "a call of harmony that was cut off",
    '<|channel|>commentary to=functions.f<|message|>{"a": ',
    null,
    [],
  ],
  [
    "arguments in harmony that are not JSON",
    "<|channel|>commentary to=functions.f<|message|>{a<|call|>",
    null,
    [{ name: "f", arguments: "{a" }],
  ],
  ["a tool of the model itself", "<|channel|>analysis to=python<|message|>1<|call|>", null, []],
  [
    "an invented tool reply",
    `${call}<|start|>functions.f to=assistant<|channel|>commentary<|message|>9<|end|>`,
    null,
    [f],
  ],
  ["a call without tokens", 'analysisA.assistantcommentary to=functions.f json{"a": 1}', null, [f]],
  ["a block after thoughts", `<think>A</think>\n${block}`, block, [f]],
  ["a block after words", `I look.\n${block}`, `I look.\n${block}`, [f]],
  ["two blocks", `${block}\n${block}`, `${block}\n${block}`, [f, f]],
  [
    "a block that is cut off after one",
    `${block}\n<tool_call>\n{"na`,
    `${block}\n<tool_call>\n{"na`,
    [f],
  ],
  [
    "a block that is not JSON",
    "<tool_call>f(1)</tool_call>",
    "<tool_call>f(1)</tool_call>",
    [{ name: "", arguments: "f(1)" }],
  ],
  ["a block in unclosed thoughts", `<think>\nA.\n${block}`, block, [f]],
  ["a block on the line of unclosed thoughts", `<think>A.${block}`, block, [f]],
  [
    "two blocks in unclosed thoughts",
    `<think>\nA.\n${block}\n${block}`,
    `${block}\n${block}`,
    [f, f],
  ],
  ["a block in thoughts that were closed", `<think>\n${block}\n</think>\n4`, "4", []],
  ["a block in a sentence of unclosed thoughts", `<think>\nIt would be ${block} but no`, null, []],
  [
    "a block in unclosed thoughts that was cut off",
    '<think>\nA.\n<tool_call>\n{"name": "f", "arg',
    null,
    [],
  ],
  [
    "a block in unclosed thoughts after the answer",
    `It is 4.\n<think>\nA.\n${block}`,
    `It is 4.\n${block}`,
    [f],
  ],
  ["a block in code", `\`\`\`\n${block}\n\`\`\``, `\`\`\`\n${block}\n\`\`\``, []],
  ["a block amid words", `Write ${block} here.`, `Write ${block} here.`, []],
])("splitThoughts() reads %s", (_, text, answer, calls) => {
  const read = splitThoughts(text);
  expect({ answer: read.answer, calls: read.calls }).toEqual({ answer, calls });
});

const pieces = fc.constantFrom(
  "<think>",
  "</think>",
  "<thinking>",
  "</thinking>",
  "[THINK]",
  "[/THINK]",
  "◁think▷",
  "◁/think▷",

  "<|START_THINKING|>",
  "<|END_THINKING|>",
  "<|START_RESPONSE|>",
  "<|END_RESPONSE|>",
  "<answer>",

  "</answer>",
  "<tool_call>",
  "</tool_call>",
  "<|channel|>",
  "<|message|>",
  "<|end|>",
  "<|start|>",
  "analysis",
  "final",
  "assistantfinal",
  "```",
  "`",
  '"',
  "{",
  "}",
  "[",
  "\n",
  " ",
  "\\",
  ". ",
  "word",
  "Word",
  "Here is my thought process:",
  "Here is my response:",
  "<think/>",
  "<think ",
);
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((list) => list.join("")),
  fc.string({ unit: "binary" }),
);

test("splitThoughts() never throws, and returns only parts of the text", () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (text, isApart) => {
      const { answer, thoughts } = splitThoughts(text, isApart);
      if (answer === null) expect(thoughts).not.toBeUndefined();
      // All characters occur in the text, in the same order.
      for (const part of [answer ?? "", thoughts ?? ""]) {
        let at = 0;
        for (const char of part.replace(/\s/g, "")) {
          at = text.indexOf(char, at) + char.length;
          expect(at).toBeGreaterThanOrEqual(char.length);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});

test("splitThoughts() does not change its own answer if thoughts were sent separately", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { answer, thoughts } = splitThoughts(text);
      // Channels are never nested.
      if (answer === null || thoughts === null || /<\||analysis/.test(answer)) return;
      expect(splitThoughts(answer, true).answer).toBe(answer);
    }),
    { numRuns: 3_000 },
  );
});

test("splitThoughts() returns the text after any thoughts", () => {
  const plain = fc.string().filter((text) => !/[<[◁|`]|analysis|Here/.test(text));
  fc.assert(
    fc.property(fc.constantFrom(...families), plain, plain, ([open, close], thoughts, answer) => {
      const read = splitThoughts(`${open}${thoughts}${close}\n${answer}`);
      expect(read.answer ?? "").toBe(answer.trim());
      expect(read.thoughts).toBe(thoughts.trim());
    }),
  );
});
