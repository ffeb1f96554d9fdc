import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { productFiles, texts } from "./product-files.ts";

/** Unclear words; CONTRIBUTING.md lists the replacements. */
const oldWords = [
  /\bst(?:and|ands|ood|anding) (?:in|on|beside|at|by|for|with|there|behind|before|as)\b/gi,
  /\b(?:is|are|was|were|be|been) told\b/gi,
  /\b(?:is|are|was|were|be|can't be) had\b/gi,
  /\bput (?:down )?to\b/gi,
  /\banew\b/gi,
  /\bgo(?:es|ing)? (?:on|by)\b/gi,
  /\bwhat (?:becomes|became|has become) of\b/gi,
  /\b(?:comes?|came) to\b/gi,
  /\b(?:lest|bears?|beside|whereof)\b/gi,
  /\bfor nothing\b/gi,
  /\bmade of\b/gi,
  /\bthat lacks?\b/gi,
  /\bat work\b/gi,
  /\bof before\b/gi,
];

/** Not 0, because some are used in their plain meaning, or in data, quotations and names. */
const MOST = 52;

it(`product code has at most ${MOST} of the words that CONTRIBUTING.md replaces`, () => {
  const found = [...productFiles(), ...texts()].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return oldWords.flatMap((word) =>
      [...text.matchAll(word)].map(({ 0: its, index }) => {
        const line = text.slice(0, index).split("\n").length;
        return `${file}:${line}: ${its}`;
      }),
    );
  });
  expect(found.length, found.join("\n")).toBeLessThanOrEqual(MOST);
});
