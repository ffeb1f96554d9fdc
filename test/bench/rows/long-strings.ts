import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { type Row, scoreTask, validTask } from "../support/extraction.ts";

/** Characters of the strings. */
const lengths = [1_000, 10_000, 50_000] as const;

/** Long strings with mistakes all along: mostly the cost of their edit distance, which grows with the square. */
export const longStrings: readonly Bench[] = lengths.map((length) => ({
  rows: [
    {
      name: `scoring/string-${length / 1_000}kB`,
      what: `one string of ${length.toLocaleString("en")} characters, every tenth word wrong`,
      unit: "ms",
    },
  ],
  prepare({ minMs, scale }) {
    const words = Array.from({ length: (length / 10) * Math.min(1, scale) }, (_, i) =>
      `word${(i * 7919) % 100_000}`.padEnd(9, "x"),
    );
    const row: Row = {
      id: "string",
      text: "A long text.",
      schema: { type: "object", properties: { body: { type: "string" } } },
      expected_output: { body: words.join(" ") },
    };
    const wrong = words.map((word, i) => (i % 10 === 0 ? word.toUpperCase().slice(2) : word));
    const one = validTask(row, { body: wrong.join(" ") });
    return () => [cpuMs(minMs, () => scoreTask(one))];
  },
}));
