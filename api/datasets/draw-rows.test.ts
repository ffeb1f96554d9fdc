import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rowMapper } from "#shared/measures/datasets/row-mapper.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { type DrawTask, drawRows } from "./draw-rows.ts";
import { linesOf } from "./read-rows.ts";

const suite = suiteById("quality")!;
const base: DrawTask = {
  suite,
  mapper: null,
  idField: "id",
  seed: "quality/acme 2026-11-29",
  wanted: 20,
  seen: new Set(),
  taken: new Set(),
};
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    JSON.stringify({ id: `r${from + i}`, prompt: `Say ${from + i}.` }),
  );
const drawn = async (lines: readonly string[], task: Partial<DrawTask> = {}) => {
  const found = await drawRows(linesOf(new TextEncoder().encode(lines.join("\n"))), {
    ...base,
    ...task,
  });
  return found.ok ? found.value : expect.unreachable(found.error);
};
const idsOf = (texts: readonly string[]) =>
  texts.map((text) => (JSON.parse(text) as { id: string }).id);

describe("drawRows()", () => {
  it("draws the same rows whatever their order in the file, and other rows with another seed", async () => {
    const first = await drawn(rows(0, 500));
    expect(first.rows).toHaveLength(20);
    expect((await drawn(rows(0, 500).toReversed())).rows).toEqual(first.rows);
    const other = await drawn(rows(0, 500), { seed: "quality/acme 2026-11-30" });
    expect(idsOf(other.rows).filter((id) => idsOf(first.rows).includes(id)).length).toBeLessThan(8);
  });

  it("draws each row with equal probability", async () => {
    const counts = new Map<string, number>();
    for (let day = 0; day < 300; day++) {
      const { rows: found } = await drawn(rows(0, 100), { seed: `quality/acme day ${day}` });
      for (const id of idsOf(found)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    const chiSquare = Array.from({ length: 100 }, (_, i) => counts.get(`r${i}`) ?? 0).reduce(
      (sum, count) => sum + (count - 60) ** 2 / (60 * 0.8),
      0,
    );
    // The 0.1% and 99.9% quantiles with 99 degrees of freedom.
    expect(chiSquare).toBeGreaterThan(61);
    expect(chiSquare).toBeLessThan(149);
  });

  it("skips duplicates and rows that the previous file had, by id or else by content", async () => {
    const before = await drawn([...rows(0, 30), '{"prompt":"Without an id."}']);
    const rated = '{"id":"r3","prompt":"Say 3.","tags":{"rating":"good"}}';
    const now = ['{"prompt":"Without an id."}', rated, ...rows(25, 40), ...rows(38, 40)];
    const { rows: found, read, known } = await drawn(now, { seen: before.keys });
    expect({ read, known }).toEqual({ read: 19, known: 9 });
    expect(idsOf(found).toSorted()).toEqual(idsOf(rows(30, 40)).toSorted());
  });

  it("gives a row without an id the same generated id in every file", async () => {
    const [line = ""] = ['{"prompt":"Without an id."}'];
    const alone = idsOf((await drawn([line])).rows);
    expect(alone[0]).toMatch(/^row-\d+$/);
    expect(idsOf((await drawn([...rows(0, 5), line])).rows)).toContain(alone[0]);
  });

  it("notes invalid rows with their lines and draws other rows instead", async () => {
    const lines = ["{", "[]", '{"id":"x"}', ...rows(0, 40), '{"id":"r1 ","prompt":3}'];
    const { rows: found, refused } = await drawn(lines, { wanted: 40 });
    expect(found).toHaveLength(40);
    expect(refused.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 44]);
    expect(refused.every(({ reason }) => reason.length > 5)).toBe(true);
  });

  it("accepts rows as stored, and rows from tables that hold JSON as text", async () => {
    const extraction = suiteById("extraction")!;
    const stock = join(import.meta.dirname, "../../shared/suites/extraction/stock.jsonl");
    const file = readFileSync(stock, "utf8");
    const lines = file.trim().split("\n");
    const task = { suite: extraction, wanted: 1_000 };
    expect((await drawn(lines, task)).rows.toSorted()).toEqual(lines.toSorted());
    const texts = lines.map((line) => {
      const { schema, ...row } = JSON.parse(line) as { schema: object };
      return JSON.stringify({ ...row, schema: JSON.stringify(schema) });
    });
    expect((await drawn(texts, task)).rows.length).toBeGreaterThan(30);
  });

  it("refuses an id that a sample of the version already has", async () => {
    const { rows: found, refused } = await drawn(rows(0, 5), { taken: new Set(["r2"]) });
    expect(idsOf(found).toSorted()).toEqual(["r0", "r1", "r3", "r4"]);
    expect(refused).toMatchObject([{ line: 3, id: "r2", reason: 'duplicate id "r2"' }]);
  });

  it("maps rows and notes those whose mapping expression fails", async () => {
    const mapping = { map: { id: "key", prompt: "title & $uppercase(body)" }, tags: {}, files: {} };
    const mapper = rowMapper(mapping, { files: {}, fixed: {} });
    if (!mapper.ok) throw new Error(mapper.error);
    const lines = ['{"key":"a","title":"T: ","body":"x"}', '{"key":"b","title":"T","body":[1,2]}'];
    const { rows: found, refused } = await drawn(lines, { mapper: mapper.value });
    expect(found.map((text) => JSON.parse(text))).toMatchObject([{ id: "a", prompt: "T: X" }]);
    expect(refused).toMatchObject([{ line: 2, reason: expect.stringContaining("prompt") }]);
  });

  it("recognizes a row by its id field, or by its content without one", async () => {
    const before = ['{"key":"a","id":"one user","prompt":"x"}', '{"key":"b","id":"one user"}'];
    const later = ['{"key":"a","id":"one user","prompt":"x","rated":1}'];
    for (const [idField, known] of [
      ["key", 1],
      [null, 0],
    ] as const) {
      const { read, keys } = await drawn(before, { idField });
      expect([read, keys.size]).toEqual([2, 2]);
      expect(await drawn(later, { idField, seen: keys })).toMatchObject({ known });
    }
  });

  it("refuses files with too many rows and stops after 500 invalid rows", async () => {
    const many = new TextEncoder().encode("0\n".repeat(100_001));
    expect(await drawRows(linesOf(many), base)).toMatchObject({
      ok: false,
      error: expect.stringContaining("more than 100000 rows"),
    });
    const bad = Array.from({ length: 700 }, (_, i) => `{"id":"b${i}"}`);
    const { rows: found, refused } = await drawn(bad);
    expect([found.length, refused.length]).toEqual([0, 500]);
  });
});
