import { expect, it, test } from "vitest";
import { LineDigest, LinesHash, rowText, textHash } from "./content-hash.ts";

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

const lines = ["a", "", "Zürich 😀"];
// By Python's hashlib 3.12.
const expected = "3d1f64a3f8853e776055501629d911adc5e17309bec9ad7229a35bc3ab237f84";

test("LineDigest is SHA-256 of the lines' digests in their order", () => {
  const digestOf = (its: readonly string[]) => {
    const digest = new LineDigest();
    for (const line of its) digest.add(line);
    return digest.digest();
  };
  expect(digestOf(lines)).toBe(expected);
  expect(digestOf(lines.toReversed())).not.toBe(expected);
});

test("LineDigest continues from its state as JSON after any line, within a block of the hash or not", () => {
  for (let cut = 0; cut <= lines.length; cut++) {
    const first = new LineDigest();
    for (const line of lines.slice(0, cut)) first.add(line);
    const state = JSON.parse(JSON.stringify(first.state()));
    expect(JSON.stringify(state).length).toBeLessThan(400);
    const second = new LineDigest(state);
    for (const line of lines.slice(cut)) second.add(line);
    expect(second.digest()).toBe(expected);
  }
});
