import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { eighthWrong, type Row, scoreTask, validTask } from "../support/extraction.ts";

const sizes = [10, 30, 100, 300, 1000] as const;

/** The cost of a field must not depend on how many there are. */
export const fieldGrowth: Bench = {
  rows: [
    ...sizes.map((size) => ({
      name: `scoring/fields-${size}`,
      what: `${size} fields in objects of ten, every eighth wrong`,
      unit: "µs/field",
    })),
    {
      name: "scoring/fields-1000-flat",
      what: "1,000 fields in one object, every eighth wrong",
      unit: "µs/field",
    },
    {
      name: "scoring/fields-growth",
      what: "a field among 1,000 against one among 100, in objects of ten",
      unit: "×",
      // A field of more costs no more; the rest is noise and the processor's caches.
      target: { atMost: 1.25, words: "cost linear in fields" },
    },
  ],
  prepare({ minMs }) {
    const perField = (row: Row, fields: number) => {
      const one = validTask(row, eighthWrong(row.expected_output));
      return () => (cpuMs(minMs / 2, () => scoreTask(one)) * 1000) / fields;
    };
    const measures = sizes.map((size) => perField(rowOf(size), size));
    const flat = perField(flatRow(1000), 1000);
    return () => {
      const times = measures.map((measure) => measure()) as [
        number,
        number,
        number,
        number,
        number,
      ];
      const [, , hundred, , thousand] = times;
      return [...times, flat(), thousand / hundred];
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

/** Fields of one object: as in a form of several sections. */
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

function flatRow(fields: number): Row {
  const { schema, value } = objectOf(0, fields);
  return { id: `flat-${fields}`, text: "A form.", schema, expected_output: value };
}

function objectOf(start: number, length: number): { schema: JsonObject; value: JsonObject } {
  const made = Array.from({ length }, (_, i) => {
    return [`field${start + i}`, kinds[i % kinds.length]!(start + i)] as const;
  });
  const properties = Object.fromEntries(made.map(([name, { schema }]) => [name, schema]));
  const value = Object.fromEntries(made.map(([name, one]) => [name, one.value]));
  return { schema: { type: "object", properties }, value };
}
