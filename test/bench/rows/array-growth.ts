import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import type { Bench } from "../bench.ts";
import { cpuPair } from "../support/cpu-pair.ts";
import { eighthWrong, type Row, scoreTask, validTask } from "../support/extraction.ts";

/** Sizes that are aligned approximately and exactly. */
const [MANY, FEW] = [1_000, 100];

/** Aligning and scoring an array of objects: with few errors, and with all elements wrong. */
export const arrayGrowth: readonly Bench[] = [
  bench("array", "1,000 objects, every eighth field wrong", fewWrong),
  bench("array-worst", "1,000 objects, all different, reversed order", allWrong),
];

function bench(name: string, what: string, predict: (row: Row) => Json): Bench {
  return {
    rows: [
      {
        name: `scoring/${name}`,
        what,
        unit: "ms",
        yardstick: "100 such objects",
        target: { atMost: 40 },
      },
    ],
    prepare({ minMs, scale }) {
      const [many, few] = [MANY, FEW].map((size) => {
        const row = rowOf(Math.max(2, Math.round(size * scale)));
        const one = validTask(row, predict(row));
        return () => scoreTask(one);
      }) as [() => void, () => void];
      return () => [cpuPair(minMs, many, few)];
    },
  };
}

interface Item extends JsonObject {
  name: string;
  quantity: number;
  price: number;
}

function rowOf(size: number): Row {
  const item = {
    type: "object",
    properties: {
      name: { type: "string" },
      quantity: { type: "integer" },
      price: { type: "number" },
    },
  };
  const items = Array.from({ length: size }, (_, i) => itemOf(i));
  return {
    id: `array-${size}`,
    text: "A list of items.",
    schema: { type: "object", properties: { items: { type: "array", items: item } } },
    expected_output: { items },
  };
}

const goods = ["bolt", "hinge", "cable", "bracket", "filter", "valve", "washer"] as const;

const itemOf = (i: number): Item => ({
  name: `${goods[i % goods.length]} no. ${i} of the spring list`,
  quantity: (i * 7) % 50,
  price: ((i * 37) % 1000) / 4,
});

function fewWrong(row: Row): Json {
  return eighthWrong(row.expected_output);
}

/** No element is identical, so the aligner has to compare all pairs. */
function allWrong(row: Row): JsonObject {
  const { items } = row.expected_output as { items: Item[] };
  const changed = items.map(({ name, quantity, price }) => {
    return { name: name.replace("no.", "number"), quantity: quantity + 1, price: price + 0.5 };
  });
  return { items: changed.reverse() };
}
