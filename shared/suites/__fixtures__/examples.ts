import { type Answer, emptyAnswer } from "../../contracts/answer.ts";
import type { ExtractionSample } from "../extraction/sample.ts";

/** What the battery of contract tests needs of a suite. */
export interface SuiteExample {
  /** Dataset rows that can be used, three or more. */
  rows: unknown[];
  /** Rows that can't. */
  malformed: unknown[];
  /** An answer that earns the maximum. */
  perfect(sample: unknown): Answer;
}

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    items: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
  },
  required: ["name"],
};

const extraction: SuiteExample = {
  rows: ["Ada", "Grace", "Edsger", "Barbara"].map((name, i) => ({
    ...{ id: `sample-${i}`, text: `${name} paid ${i}.5.`, schema },
    expected_output: { name, items: [{ price: i + 0.5 }, { price: 7 }] },
    tags: { language: "en" },
  })),
  malformed: [
    { id: "no-schema", text: "x", expected_output: {} },
    { id: "does-not-fit", text: "x", schema, expected_output: { name: 5 } },
  ],
  perfect: (sample) => ({
    ...emptyAnswer,
    output: JSON.stringify((sample as ExtractionSample).expected_output),
  }),
};

/** By suite id; every registered suite has one. */
export const examples: Readonly<Record<string, SuiteExample>> = { extraction };
