import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyAnswer } from "../../contracts/answer.ts";
import { readOutput } from "../json-output/read-output.ts";
import { splitThoughts, withoutThoughts } from "./without-thoughts.ts";

const families = [
  ["<think>", "</think>"],
  ["<reasoning>", "</reasoning>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
] as const;

const [json, draft] = ['{"a": 1}', '{"a": 3}'];
const fenced = `\`\`\`json\n${json}\n\`\`\``;

describe.each(families)("splitThoughts() with %s and %s in the middle of a line", (open, close) => {
  test.each([
    ["after a colon", `Answer: ${open}maybe ${draft}${close} ${json}`, `Answer:  ${json}`],
    ["after a comma", `Sure, ${open}maybe ${draft}${close}\n${json}`, `Sure, \n${json}`],
    ["in an item of a list", `- ${open}maybe ${draft}${close} ${json}`, `-  ${json}`],
    ["in an item, before lower case", `- ${open}a::b${close} a::b::c`, "-  a::b::c"],
    ["in a numbered item", `2) ${open}maybe ${draft}${close} ${json}`, `2)  ${json}`],
    ["after a heading's mark", `# ${open}maybe${close} Paris`, "#  Paris"],
    ["after a word", `Okay ${open}maybe ${draft}${close} ${json}`, `Okay  ${json}`],
    ["directly after a word", `Okay${open}maybe ${draft}${close}${json}`, `Okay${json}`],
    ["with blanks inside", `Okay ${open} maybe ${draft} ${close} ${json}`, `Okay  ${json}`],
    ["over several lines", `Okay ${open}\nmaybe ${draft}\n${close}\n${json}`, `Okay \n${json}`],
    ["before a fence", `Here: ${open}\nmaybe ${draft}\n${close}\n${fenced}`, `Here: \n${fenced}`],
    ["around an open fence", `So ${open}\n\`\`\`\n${draft}\n${close}\n${fenced}`, `So \n${fenced}`],
    ["around an open string", `So ${open}maybe {"a": "x${close} ${json}`, `So  ${json}`],
    ["at the end", `Paris ${open}no wait, Lyon${close}`, "Paris"],
    ["at the end, with blanks inside", `Paris ${open} no wait, Lyon ${close}\n`, "Paris"],
    ["at the end, on lines of its own", `Paris ${open}\nno wait\n${close}`, "Paris"],
    ["at the end, over two lines", `Paris ${open} no wait,\nLyon${close}`, "Paris"],
    ["after JSON", `${json} ${open} maybe ${draft} or so ${close}`, json],
    ["after JSON, over several lines", `${json} ${open} no,\nit is ${draft}\n${close}`, json],
    ["after a quoted answer", `"Paris"${open}no wait, Lyon${close}`, '"Paris"'],
    ["after a bold answer", `**4**${open}no wait, 5${close}`, "**4**"],
    ["before a number", `The sum is ${open}2+2${close} 4`, "The sum is  4"],
    ["before a negative number", `The sum is ${open}2-7${close} -5`, "The sum is  -5"],
    ["before a quoted answer", `It is ${open}hm${close}"Paris"`, 'It is "Paris"'],
    ["before an option", `It is ${open}hm${close} (B)`, "It is  (B)"],
    ["before a sentence", `It is ${open}Hm. Lyon?${close} Paris.`, "It is  Paris."],
    ["before another line", `The total ${open}with comma${close}\n\nis 4`, "The total \n\nis 4"],
    ["with thoughts in lower case", `It is ${open} hmm ${close} Paris.`, "It is  Paris."],
    ["twice", `Okay ${open}a${close}${open}b${close} ${json}`, `Okay  ${json}`],
    ["twice, apart", `Okay ${open}a${close}\n${open}b${close}\n${json}`, `Okay \n\n${json}`],
    ["nested", `Okay ${open}a ${open}b${close} c${close} ${json}`, `Okay  ${json}`],
    ["before a wrapped answer", `So ${open}a${close} <answer>${json}</answer>`, `So  ${json}`],
    ["empty", `Paris ${open}${close}`, "Paris"],
    ["after a block", `${open}a${close}Sure ${open}b${close} ${json}`, `Sure  ${json}`],
    // A draft is never scored, however the sentence continues.
    [
      "before a sentence that continues",
      `So ${open}${draft}${close} it is ${json}`,
      `So  it is ${json}`,
    ],
    ["before a comma", `So ${open}${draft}${close}, ${json}`, `So , ${json}`],
    ["in bold", `**${open}${draft}${close}** ${json}`, `**** ${json}`],
    ["in parentheses", `(${open}${draft}${close}) ${json}`, `() ${json}`],
    ["in Cyrillic", `Ответ ${open}может 3${close} Париж`, "Ответ  Париж"],
    ["in Chinese, after a colon", `答案是：${open}也许三${close}巴黎`, "答案是：巴黎"],
    ["in Chinese, before a line", `答案是${open}也许三${close}\n巴黎`, "答案是\n巴黎"],
    ["with a list inside", `Okay ${open}- check${close} 4`, "Okay  4"],
    ["after a sentence, before a list", `Okay. ${open}Hm.${close} - a\n- b`, "Okay.  - a\n- b"],
    ["after a sentence, before a table", `Okay. ${open}Hm.${close} | a |`, "Okay.  | a |"],
    ["before an item of a list", `Okay ${open}Hm.${close} - Item\n- b`, "Okay  - Item\n- b"],
    ["never closed, before a word", `Okay ${open}maybe ${draft}`, "Okay"],
    ["never closed, before JSON", `Answer: ${open}${draft}`, "Answer:"],
    ["never closed, in an item", `- ${open}\nmaybe ${draft}`, "-"],
  ])("removes a block %s", (_, text, answer) => {
    const read = splitThoughts(text);
    expect(read.answer).toBe(answer);
    expect(read.thoughts).not.toBeNull();
  });

  test.each([
    ["of one tag", `Use the ${open} tag to think.`],
    ["of one tag, at the end", `Use the ${open} tag to think`],
    ["of one tag in an item", `- Use the ${open} tag`],
    ["before a verb", `the tags ${open}a${close} are text`],
    ["after a colon", `Tags: ${open}a${close} is one`],
    ["at the end of a sentence", `A block is ${open}hm${close}.`],
    ["in an item", `- ${open} and ${close} are tags`],
    ["in an item with its use", `- ${open}…${close}: the thoughts`],
    ["in an item with its use after a dash", `- ${open}hm${close} – the thoughts`],
    ["in a list of tags", `Tags:\n- ${open}\n- <thought>\n- <response>`],
    ["in a list of what tags do", `Tags:\n- ${open} Marks thoughts.\n- [INST] Marks a question.`],
    ["of two words", `Write ${open}hm${close}/<b>hm</b> or nothing.`],
    ["in a question", `Is it ${open}hm${close}?`],
    ["before a comma", `A block, ${open}hm${close}, is hidden`],
    ["before a semicolon", `First ${open}hm${close}; then the answer`],
    ["before a spaced semicolon", `les balises ${open}a${close} ; elles sont du texte`],
    ["before a dash", `A block ${open}hm${close} – or a thought – is hidden.`],
    ["before a remark", `A block ${open}hm${close} (as models write it) is hidden.`],
    ["before a genitive", `Read ${open}hm${close}'s content.`],
    ["of whole sentences", `They write ${open}Let me see. It is 4.${close} before they answer.`],
    ["of two tags", `Use ${open} and ${close} to think.`],
    ["of two tags, at the end", `Use ${open} and ${close}`],
    ["of two tags, before a paragraph", `Use ${open} and ${close}\n\nThen answer.`],
    ["of two tags, before a name", `Use ${open} and ${close} XML.`],
    ["of two tags, in French", `les balises ${open} et ${close}\nOui.`],
    ["of two tags, in German", `Zwischen ${open} und ${close} steht, was es denkt.`],
    ["of two tags, with a comma", `Use ${open}, ${close}\nThat is all.`],
    ["of two tags and their use", `The tag ${open} opens thoughts, ${close} ends them.`],
    ["of two tags in two lines", `The first tag is ${open}\nThe last tag is ${close}`],
    ["of two tags in two sentences", `The first tag is ${open}.\nThe last tag is ${close}.`],
    ["of two tags in a list", `- ${open} Opens thoughts\n- ${close} Closes them`],
    ["of two tags in a table", `| Tag | Use |\n| ${open} | opens |\n| ${close} | closes |`],
    ["of a placeholder", `Wrap them in ${open}...${close}\nThen answer.`],
    ["of a placeholder with one mark", `Wrap them in ${open}…${close}\nThen answer.`],
    ["of a format", `Write ${open}a${close}<answer>b</answer> in your reply.`],
    ["of a format, with blanks", `Write ${open}a${close} <answer>b</answer>.`],
    ["of two blocks", `Both ${open}a${close} and ${open}b${close} are hidden.`],
    ["of compounds", `Ein ${open}-Tag und ein ${close}-Tag sind Text.`],
    ["in quotation marks", `See “${open}hm${close}” Then go.`],
    ["in parentheses", `Blocks (${open}hm${close}) Are hidden.`],
    [
      "with an example in code",
      `The tag is ${open}\n\n\`\`\`\n${open}\nhm\n${close}\n\`\`\`\n\nBye.`,
    ],
    ["with an indented example", `See:\n\n    ${open}\n    hm\n    ${close}\n    Paris`],
    ["in Cyrillic", `Пиши ${open}а${close} перед ответом.`],
    ["in Chinese", `标签${open}内容${close}是文本。`],
  ])("keeps a mention %s", (_, text) => {
    expect(splitThoughts(text)).toEqual({ answer: text, thoughts: null, calls: [] });
    // After a block, the mention is the answer.
    expect(splitThoughts(`${open}Hm.${close}\n${text}`).answer).toBe(text);
  });

  test.each([
    ["after text", `${open}a${close}more ${draft}\n${close}\n${json}`, json],
    ["after a line", `${open}a${close}\nmore ${draft}\n${close}\n${json}`, json],
    ["on a line", `${open}a${close}more${close}4`, "4"],
    ["after thoughts without an opening", `a\n${close}\nb ${draft}\n${close}\n${json}`, json],
    ["three times", `${open}a${close}b\n${close}\nc\n${close}\n${json}`, json],
    ["before a block", `${open}a${close}b\n${close}\n${open}c${close}\n${json}`, json],
    [
      "after a block in a line",
      `So ${open}a${close} More ${draft}\n${close}\n${json}`,
      `So \n${json}`,
    ],
    ["before a list", `${open}a${close}b\n${close} - c\n- d`, "- c\n- d"],
    ["at the end", `${open}a${close}\n${json}\n${close}`, json],
    ["directly at the end", `${open}a${close}${json}${close}`, json],
  ])("ends thoughts at a second closing tag %s", (_, text, answer) => {
    expect(splitThoughts(text).answer).toBe(answer);
  });

  test.each([
    `It ends with ${close} and then comes the answer.`,
    `It ends with ${close}\nThat is all.`,
    `To end it, write\n${close}\nbefore the answer.`,
    `- ${close} Closes them`,
  ])("treats a second closing tag as text in %j", (text) => {
    expect(splitThoughts(`${open}Hm.${close}${text}`).answer).toBe(text);
  });
});

test.each([
  [`So the result is <answer>${json}</answer>`, `So the result is ${json}`],
  ["The answer is <answer>\n4\n</answer>\n", "The answer is \n4"],
  ["Final answer: <answer>4</answer> That is all.", "Final answer: 4 That is all."],
  ["- <answer>4</answer>", "- 4"],
])("splitThoughts() unwraps the answer in %j", (text, answer) => {
  expect(splitThoughts(text).answer).toBe(answer);
});

test.each([
  "Use <answer>4</answer> for it.",
  "Wrap it in <answer> and </answer>",
  "Wrap it in <answer>…</answer>\nThanks.",
  "Wrap it in <answer>4</answer>, and nothing else.",
])("splitThoughts() treats answer tags as text in %j", (text) => {
  expect(splitThoughts(text).answer).toBe(text);
});

test("withoutThoughts() never keeps a draft before an object", () => {
  const leads = [
    "",
    "Sure, ",
    "Okay ",
    "- ",
    "1. ",
    "> ",
    "**",
    "(",
    '"',
    "It's ",
    "答案",
    "x: ",
    "`y` ",
  ];
  const thoughts = fc.constantFrom("maybe ", " and ", ", ", "\n", "... ", "tag ", "\n```json\n");
  const ends = fc.constantFrom("", " ", "\n", " or not", "?", "\n```\n");
  const joints = fc.constantFrom("", " ", "\n", "\n\n", " so ", ", ", ". ", " Final: ", " — ");
  const answers = fc.constantFrom(json, `[${json}]`, fenced, `<answer>${json}</answer>`);
  fc.assert(
    fc.property(
      fc.constantFrom(...families),
      fc.constantFrom(...leads),
      fc.tuple(thoughts, ends, joints, answers),
      ([open, close], lead, [before, behind, joint, answer]) => {
        const output = `${lead}${open}${before}${draft}${behind}${close}${joint}${answer}`;
        const { value } = readOutput(withoutThoughts({ ...emptyAnswer, output }));
        expect([value].flat()).toEqual([{ a: 1 }]);
      },
    ),
    { numRuns: 2_000 },
  );
});
