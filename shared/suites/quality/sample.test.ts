import { expect, test } from "vitest";
import { checkSample, maxChars } from "./sample.ts";

const row = { id: "a", prompt: "Explain cats." };

test("checkSample() accepts an id and a prompt, and adds empty tags", () => {
  const checked = checkSample(row);
  expect(checked).toEqual({ ok: true, value: { sample: { ...row, tags: {} }, warnings: [] } });
});

test("checkSample() accepts a system message, tags and people's ratings", () => {
  const more = { ...row, system: "Be brief.", tags: { kind: "explain" } };
  const checked = checkSample({ ...more, human: { overall: 4, coherence: [3, null, 5] } });
  const scores = { overall: [4], coherence: [3, null, 5] };
  const sample = { ...more, human: { scores, answerHash: null } };
  expect(checked).toEqual({ ok: true, value: { sample, warnings: [] } });
});

test("checkSample() warns about a prompt without words", () => {
  const checked = checkSample({ id: "a", prompt: "…" });
  expect(checked.ok && checked.value.warnings).toEqual([expect.stringMatching(/no word/)]);
});

test.each([
  [null, /not a JSON object/],
  [{ ...row, id: 5 }, /id must be/],
  [{ ...row, id: "" }, /id must be/],
  [{ id: "a" }, /prompt must be/],
  [{ ...row, prompt: ["x"] }, /prompt must be/],
  [{ ...row, prompt: "x".repeat(maxChars + 1) }, /prompt has 1000001 characters, but at most/],
  [{ ...row, system: null }, /system must be/],
  [{ ...row, system: "x".repeat(maxChars + 1) }, /system has 1000001/],
  [{ ...row, tags: { n: 1 } }, /tags must be/],
  [{ ...row, human: 5 }, /human must be/],
  [{ ...row, human: { style: 5 } }, /human may rate overall, .* not "style"/],
  [{ ...row, human: { overall: "5" } }, /human.overall must be a number/],
  [{ ...row, human: { overall: Array(101).fill(1) } }, /more than 100/],
])("checkSample() reports a malformed row %#", (malformed, reason) => {
  const checked = checkSample(malformed);
  expect(checked.ok ? "" : checked.error).toMatch(reason);
});
