import type { Json, JsonObject } from "../../../shared/contracts/json.ts";

/** An extraction sample as a dataset's row. */
export interface ExtractionRow extends JsonObject {
  id: string;
  text: string;
  schema: JsonObject;
  expected_output: Json;
}

const schema: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string" },
    date: { type: "string" },
    status: { enum: ["open", "paid", "overdue"] },
    total: { type: "number" },
    paid: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    note: { type: "string" },
    reference: { type: "string" },
  },
  required: ["name", "date", "status", "total", "items"],
  $defs: {
    item: {
      type: "object",
      properties: { label: { type: "string" }, quantity: { type: "integer" } },
      required: ["label"],
    },
  },
};

const people = [
  "Ada Lovelace",
  "Alan Turing",
  "Grace Hopper",
  "Edsger Dijkstra",
  "Barbara Liskov",
  "Tony Hoare",
];

/** Six invoices with the same schema. */
export const rows: readonly ExtractionRow[] = people.map((name, index) => ({
  id: `invoice-${index}`,
  text: `Invoice ${index} for ${name}, dated 2024-0${index + 1}-2${index}: three lamps and a desk, ${100 + index}.50 in total, not yet paid.`,
  schema,
  expected_output: {
    name,
    date: `2024-0${index + 1}-2${index}`,
    status: "open",
    total: 100.5 + index,
    paid: false,
    tags: ["furniture", "light", "office"],
    items: [
      { label: "desk lamp", quantity: 3 },
      { label: "writing desk", quantity: 1 },
    ],
    note: "delivery in the second week",
  },
}));

/** The first of the rows. */
export const firstRow = rows[0] as ExtractionRow;
