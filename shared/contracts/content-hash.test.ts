import { expect, it, test } from "vitest";
import { LineDigest, LinesHash, rowText, textHash } from "./content-hash.ts";

it("LinesHash equals textHash() of the joined lines", () => {
  for (const lines of [[], ["one"], ["", "Größe", "大きい", ""]]) {
    const hash = new LinesHash();
    for (const line of lines) hash.add(line);
    expect(hash.digest()).toBe(textHash(lines.join("\n")));
  }
});

it("rowText() normalises white space, numbers and escapes, and keeps the order of keys", () => {
  expect(rowText(JSON.parse('{ "b": 1.0, "a": ["\\u0041"] }'))).toBe('{"b":1,"a":["A"]}');
});

const lines = ["a", "", "Zürich 😀"];
// Computed with hashlib of Python 3.12.
const expected = "3d1f64a3f8853e776055501629d911adc5e17309bec9ad7229a35bc3ab237f84";

test("LineDigest is the SHA-256 of the lines' digests in order", () => {
  const digestOf = (texts: readonly string[]) => {
    const digest = new LineDigest();
    for (const line of texts) digest.add(line);
    return digest.digest();
  };
  expect(digestOf(lines)).toBe(expected);
  expect(digestOf(lines.toReversed())).not.toBe(expected);
});

test("LineDigest continues after any line from its state stored as JSON", () => {
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
