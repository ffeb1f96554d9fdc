import { expect, it } from "vitest";
import { InlineThoughts } from "./inline-thoughts.ts";

it.each<[what: string, pieces: string[], firstAnswer: number]>([
  ["an answer without thoughts", ["Os", "lo"], 0],
  ["a tag split over pieces", ["\n<th", "ink>", "2 + 2</th", "ink>", "\n\n", "4"], 5],
  ["an answer directly after the tag", ["<think>2 + 2</think>4"], 0],
  ["two blocks", ["<think>2</think>", "<think>3", "</think>", "4"], 3],
  ["a different tag with the same beginning", ["<th", "ead>"], 1],
  ["an answer that begins with a bracket", ["[", "1"], 1],
  ["Mistral's tokens", ["[THINK]", "2", "[/THINK]", "4"], 3],
  ["thoughts that never end", ["<think>", "2 </thin", "g>"], -1],
])("InlineThoughts finds the first piece of the answer: %s", (_, pieces, first) => {
  const inline = new InlineThoughts();
  expect(pieces.map((piece) => inline.kindOf(piece)).indexOf("answer")).toBe(first);
});
