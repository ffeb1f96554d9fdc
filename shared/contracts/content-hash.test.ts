import { expect, it } from "vitest";
import { LinesHash, rowText, textHash } from "./content-hash.ts";

it("LinesHash gives what textHash gives of the lines joined", () => {
  for (const lines of [[], ["one"], ["", "Größe", "大きい", ""]]) {
    const hash = new LinesHash();
    for (const line of lines) hash.add(line);
    expect(hash.digest()).toBe(textHash(lines.join("\n")));
  }
});

it("rowText() drops white space and ways of writing, and keeps the order of keys", () => {
  expect(rowText(JSON.parse('{ "b": 1.0, "a": ["\\u0041"] }'))).toBe('{"b":1,"a":["A"]}');
});
