import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { withinTokens } from "../../shared/measures/text/within-tokens.ts";
import { defaultOptions } from "../../shared/suites/slots/options.ts";
import { checkSample, expectedSlots } from "../../shared/suites/slots/sample.ts";
import { canonicalize } from "../../shared/suites/slots/score/compare-slots.ts";
import { scoreSlots } from "../../shared/suites/slots/score/score.ts";

const samples = readFileSync(join(root, "shared/suites/slots/stock.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const checked = checkSample(JSON.parse(line));
    if (!checked.ok) throw new Error(`${line.slice(0, 40)}: ${checked.error}`);
    expect(checked.value.warnings).toEqual([]);
    return checked.value.sample;
  });

it("the stock dataset has three users with five sessions of 6 to 14 turns each", () => {
  expect(new Set(samples.map(({ id }) => id)).size).toBe(15);
  const users = samples.map(({ user }) => user);
  for (const user of new Set(users)) {
    const sessions = samples.filter((sample) => sample.user === user);
    expect(sessions.map(({ session }) => session)).toEqual([1, 2, 3, 4, 5]);
  }
  for (const { id, turns } of samples) {
    expect(turns.length, id).toBeGreaterThanOrEqual(6);
    expect(turns.length, id).toBeLessThanOrEqual(14);
  }
});

it("the stock dataset changes at least five facts of every user between sessions", () => {
  const changed = new Set<string>();
  const last = new Map<string, string>();
  for (const sample of samples) {
    for (const [topic, fields] of expectedSlots(sample)) {
      for (const [field, values] of fields) {
        const slot = JSON.stringify([sample.user, topic, field]);
        if ((last.get(slot) ?? `${values}`) !== `${values}`) changed.add(slot);
        last.set(slot, `${values}`);
      }
    }
  }
  for (const user of ["mara", "joel", "ren"]) {
    const slots = [...changed].filter((slot) => slot.startsWith(`["${user}"`));
    expect(slots.length, user).toBeGreaterThanOrEqual(5);
  }
});

it("the stock dataset expects every listed field somewhere and no field in all samples", () => {
  const [listed, expected] = [new Set<string>(), new Map<string, number>()];
  for (const sample of samples) {
    for (const [topic, fields] of Object.entries(sample.topics)) {
      for (const field of fields) listed.add(`${topic}.${field}`);
    }
    for (const [topic, fields] of expectedSlots(sample)) {
      for (const field of fields.keys()) {
        const slot = `${topic}.${field}`;
        expected.set(slot, (expected.get(slot) ?? 0) + 1);
      }
    }
  }
  expect([...listed].filter((slot) => !expected.has(slot))).toEqual([]);
  expect(Math.max(...expected.values())).toBeLessThan(samples.length);
});

it.each(samples.map((sample) => [sample.id, sample] as const))(
  "%s scores 1 with its gold in either format, and its turns contain every value literally",
  (_id, sample) => {
    const json = { ...emptyAnswer, output: JSON.stringify(sample.expected) };
    const slots = [...expectedSlots(sample)].flatMap(([topic, fields]) =>
      [...fields].map(([field, values]) => ({ topic, field, values })),
    );
    const lines = slots.map(
      ({ topic, field, values }) => `${topic}::${field}::${values.join(", ")}`,
    );
    for (const [answer, format] of [
      [json, "json"],
      [{ ...emptyAnswer, output: lines.join("\n") }, "lines"],
    ] as const) {
      const { score, detail } = scoreSlots(sample, answer, { ...defaultOptions, format });
      expect([score, detail.valueF1, detail.tokenF1, detail.bleu1]).toEqual([1, 1, 1, 1]);
    }
    const said = canonicalize(sample.turns.map(({ content }) => content).join(" "), true);
    const unsaid = slots
      .flatMap(({ values }) => values)
      .filter((value) => !withinTokens(canonicalize(value, true), said));
    expect(unsaid).toEqual([]);
  },
);
