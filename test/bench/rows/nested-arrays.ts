import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { type Row, scoreTask, validTask } from "../support/extraction.ts";

const depths = [5, 9, 13] as const;

/** The time to align arrays in arrays, two elements each, with no leaf right. */
export const nestedArrays: readonly Bench[] = depths.map((depth) => ({
  rows: [
    {
      name: `scoring/nested-${depth}`,
      what: `arrays nested ${depth} deep, 2 elements each, none the same${depth > 9 ? ", aligned approximately" : ""}`,
      unit: "ms",
    },
  ],
  prepare({ minMs, scale }) {
    const levels = Math.max(1, Math.round(depth * Math.min(1, scale)));
    const one = validTask(rowOf(levels), { items: nested(levels, 7919) } as JsonObject);
    return () => [cpuMs(minMs, () => scoreTask(one))];
  },
}));

function rowOf(depth: number): Row {
  return {
    id: `nested-${depth}`,
    text: "Lists of lists.",
    schema: { type: "object" },
    expected_output: { items: nested(depth, 104_729) },
  };
}

/** Leaves are numbers in no order. */
function nested(depth: number, factor: number, place = 1): Json {
  if (depth === 0) return { value: (place * factor) % 1000 };
  return [nested(depth - 1, factor, 2 * place), nested(depth - 1, factor, 2 * place + 1)];
}
