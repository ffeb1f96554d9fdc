import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { jsonl } from "../../cli/support/folder-with.ts";

/** Rows per write. */
const BATCH = 1000;

const schema = {
  type: "object",
  properties: {
    name: { type: "string" },
    amount: { type: "number" },
    paid: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["name", "amount"],
};

const expected = (i: number) => ({
  name: `Customer ${i}`,
  amount: i + 0.5,
  paid: i % 2 === 0,
  tags: ["new", `zone ${i % 7}`],
});

const sample = (i: number) => ({
  id: `sample-${i}`,
  text: `Customer ${i} paid ${i}.5 in zone ${i % 7}.`,
  schema,
  expected_output: expected(i),
});

/** An answer; every third has a wrong amount, every fifth a wrong name. */
function answer(i: number) {
  const value = expected(i);
  if (i % 3 === 0) value.amount += 1;
  if (i % 5 === 0) value.name = `Kustomer ${i}`;
  const output = JSON.stringify(value);
  return { id: `sample-${i}`, output, latencyMs: 100 + (i % 900), outputTokens: 30 };
}

/** Writes a dataset of `count` small samples with answers. */
export function writeManySamples(folder: string, count: number) {
  const files = { samples: join(folder, "samples.jsonl"), answers: join(folder, "answers.jsonl") };
  writeRows(files.samples, count, sample);
  writeRows(files.answers, count, answer);
  return files;
}

function writeRows(path: string, count: number, row: (i: number) => unknown): void {
  const fd = openSync(path, "w");
  for (let start = 0; start < count; start += BATCH) {
    const length = Math.min(BATCH, count - start);
    writeSync(fd, jsonl(Array.from({ length }, (_, i) => row(start + i))));
  }
  closeSync(fd);
}
