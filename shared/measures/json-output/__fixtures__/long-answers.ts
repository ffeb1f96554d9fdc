const rows = Array.from({ length: 160 }, (_, id) => ({
  id,
  name: `row ${id}`,
  note: "some words",
}));
const tenThousand = JSON.stringify(rows);

/** Answers of about 10,000 characters, most of them built to be slow to parse, and the expected result of parsing. */
export const longAnswers: readonly (readonly [name: string, output: string, parse: string])[] = [
  ["an answer", tenThousand, "clean"],
  ["a fenced answer", `Sure:\n\`\`\`json\n${tenThousand}\n\`\`\``, "recovered"],
  ["a truncated answer", tenThousand.slice(0, -20), "recovered"],
  ["an answer in single quotes", tenThousand.replaceAll('"', "'"), "recovered"],
  ["unclosed quotes", `{"a": ${'"x '.repeat(2_500)}`, "recovered"],
  ["quotes and colons", `{"a":${'":'.repeat(4_000)}`, "failed"],
  ["opening brackets", "[".repeat(8_000), "failed"],
  ["braces in prose", "a {b} ".repeat(1_300), "failed"],
  ["open comments", `{${"/*".repeat(4_000)}`, "failed"],
  ["code fences", "```\n".repeat(2_000), "failed"],
  ["citations", "[1] ".repeat(2_500), "recovered"],
  ["apostrophes", `{${"'a': 'it's', ".repeat(700)}`, "recovered"],
];
