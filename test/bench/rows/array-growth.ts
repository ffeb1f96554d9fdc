import type { Json, JsonObject } from "../../../shared/contracts/json.ts";
import { maxElementPairs } from "../../../shared/suites/extraction/score/align/alignment-cost.ts";
import type { Bench } from "../bench.ts";
import { cpuMs } from "../support/cpu-ms.ts";
import { eighthWrong, type Row, scoreTask, validTask } from "../support/extraction.ts";

const sizes = [10, 100, 400, 1000] as const;
const words = "1,000-element arrays of objects aligned in < 1 s";

/** The time to align and score an array of objects: with few mistakes, and with no element right. */
export const arrayGrowth: readonly Bench[] = sizes.flatMap((size) => [
  bench(`array-${size}`, `${size} objects, every eighth field wrong${how(size)}`, size, fewWrong),
  bench(
    `array-${size}-worst`,
    `${size} objects, none the same, order turned${how(size)}`,
    size,
    allWrong,
  ),
]);

/** Pairs up to `maxElementPairs` are aligned exactly. */
function how(size: number): string {
  return size ** 2 <= maxElementPairs ? "" : ", aligned approximately as from 401 objects on";
}

function bench(name: string, what: string, size: number, predict: (row: Row) => Json): Bench {
  const target = { atMost: 1000, words };
  return {
    rows: [{ name: `scoring/${name}`, what, unit: "ms", ...(size === 1000 && { target }) }],
    prepare({ minMs, scale }) {
      const row = rowOf(Math.max(2, Math.round(size * Math.min(1, scale))));
      const one = validTask(row, predict(row));
      return () => [cpuMs(minMs, () => scoreTask(one))];
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

/** Nothing is identical, so no pair is found without comparing all. */
function allWrong(row: Row): JsonObject {
  const { items } = row.expected_output as { items: Item[] };
  const changed = items.map(({ name, quantity, price }) => {
    return { name: name.replace("no.", "number"), quantity: quantity + 1, price: price + 0.5 };
  });
  return { items: changed.reverse() };
}
