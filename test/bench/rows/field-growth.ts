import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { eighthWrong, type Row, scoreTask, validTask } from "../support/extraction.ts";

const [MANY, FEW] = [1_000, 100];

/** The cost of a field must not depend on the number of fields. */
export const fieldGrowth: Bench = {
  rows: [
    {
      name: "scoring/fields",
      what: "one of 1,000 fields in objects of ten, every eighth wrong",
      unit: "µs/field",
      yardstick: "one of 100 fields",
      // A quadratic cost would give 10. Ratios above 1 come from processor caches shared with other programs.
      target: { atMost: 2 },
    },
  ],
  prepare({ minMs }) {
    const [many, few] = [MANY, FEW].map((fields) => {
      const row = rowOf(fields);
      const one = validTask(row, eighthWrong(row.expected_output));
      return () => scoreTask(one);
    }) as [() => void, () => void];
    return () => {
      const { measured, yardstick } = cpuPair(minMs, many, few);
      return [{ measured: (1_000 * measured) / MANY, yardstick: (1_000 * yardstick) / FEW }];
    };
  },
};

const kinds: readonly ((i: number) => { schema: JsonObject; value: Json })[] = [
  (i) => ({ schema: { type: "string" }, value: `Value number ${i} of the form` }),
  (i) => ({ schema: { type: "number" }, value: i + 0.25 }),
  (i) => ({ schema: { type: "boolean" }, value: i % 3 === 0 }),
  (i) => ({
    schema: { type: "array", items: { type: "string" } },
    value: [`tag ${i}`, `tag ${i + 1}`],
  }),
];

/** Fields per object, as in a form with several sections. */
const SECTION = 10;

function rowOf(fields: number): Row {
  const sections = Array.from({ length: fields / SECTION }, (_, i) => {
    return [`section${i}`, objectOf(i * SECTION, SECTION)] as const;
  });
  const schemas = sections.map(([name, { schema }]) => [name, schema]);
  const values = sections.map(([name, { value }]) => [name, value]);
  return {
    id: `fields-${fields}`,
    text: "A form.",
    schema: { type: "object", properties: Object.fromEntries(schemas) },
    expected_output: Object.fromEntries(values),
  };
}

function objectOf(start: number, length: number): { schema: JsonObject; value: JsonObject } {
  const made = Array.from({ length }, (_, i) => {
    return [`field${start + i}`, kinds[i % kinds.length]!(start + i)] as const;
  });
  const properties = Object.fromEntries(made.map(([name, { schema }]) => [name, schema]));
  const value = Object.fromEntries(made.map(([name, one]) => [name, one.value]));
  return { schema: { type: "object", properties }, value };
}
