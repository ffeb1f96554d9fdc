import { describe, expect, test } from "vitest";
import type { Suite } from "../contracts/suite.ts";
import { examples } from "./__fixtures__/examples.ts";
import { suites } from "./registry.ts";

/** Each option accepts some of these values. */
const candidates = [0, 0.5, 1, 2, 7, 64, "text", true, null];

const swept = suites.filter((suite) => suite.sweeps !== undefined);

describe.each(swept.map((suite) => [suite.id, suite] as const))(
  "sweeps of suite %s",
  (id, suite) => {
    const heads = examples[id]!.rows.map((row) => headOf(suite, row));
    const facts = (options: unknown) => ({
      plan: suite.plan(heads, options),
      scoring: suite.scoringOptions(options),
      prompt: suite.prompt(options),
    });

    test.each(Object.entries(suite.sweeps ?? {}))(
      "%s sets an option that does not change plan, scoring or prompt",
      (_, option) => {
        const read = candidates.map((value) => suite.optionsSchema.safeParse({ [option]: value }));
        const options = read.flatMap((one) => (one.success ? [one.data] : []));
        expect(options.length).toBeGreaterThan(1);
        for (const one of options) expect(facts(one)).toEqual(facts(options[0]));
      },
    );

    test("change the request", () => {
      const unit = suite.plan(heads, suite.optionsSchema.parse({}))[0]!;
      const samples = unit.samples.map((at) => sampleOf(suite, examples[id]!.rows[at]));
      for (const option of Object.values(suite.sweeps ?? {})) {
        const asked = candidates.flatMap((value) => {
          const read = suite.optionsSchema.safeParse({ [option]: value });
          if (!read.success) return [];
          const step = suite.next({ samples, options: read.data, repeat: unit.repeat }, []);
          return step.kind === "ask" ? [JSON.stringify(step.request)] : [];
        });
        expect([option, new Set(asked).size > 1]).toEqual([option, true]);
      }
    });
  },
);

/** The mode in which prompts matter, if there is only one. */
const modes: Readonly<Record<string, object>> = { tools: { toolMode: "prompt" } };

const prompted = suites.filter((suite) => suite.promptOptions !== undefined);

test("most suites have prompts to compare", () => {
  expect(prompted.length).toBeGreaterThan(3);
});

describe.each(prompted.map((suite) => [suite.id, suite] as const))(
  "prompts of suite %s",
  (id, suite) => {
    test.each([...(suite.promptOptions ?? [])])(
      "%s changes the prompt, but not plan or scoring",
      (option) => {
        const heads = examples[id]!.rows.map((row) => headOf(suite, row));
        const usual = suite.optionsSchema.parse(modes[id] ?? {}) as Record<string, unknown>;
        const other = suite.optionsSchema.parse({
          ...modes[id],
          [option]: `${usual[option] ?? "{query}"} More.`,
        });
        expect(suite.prompt(other)).not.toEqual(suite.prompt(usual));
        expect(suite.plan(heads, other)).toEqual(suite.plan(heads, usual));
        expect(suite.scoringOptions(other)).toEqual(suite.scoringOptions(usual));
      },
    );
  },
);

function sampleOf(suite: Suite, row: unknown): unknown {
  const checked = suite.checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}

const headOf = (suite: Suite, row: unknown) => suite.sampleHead(sampleOf(suite, row));
