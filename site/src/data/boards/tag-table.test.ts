import { expect, it } from "vitest";
import type { LeaderboardEntry } from "#shared/contracts/boards/leaderboard.ts";
import type { TagFigure } from "#shared/contracts/suite.ts";
import { tagSlug, tagTables } from "./tag-table.ts";

const entries = ["a", "b"].map((run) => ({ run })) as LeaderboardEntry[];

const figure = (tag: string, name: string, n: number, value = 0.5): TagFigure => ({
  tag,
  name,
  n,
  headline: { value, interval: null },
});

it("tagTables() has a table for each tag with two values, the most frequent value first", () => {
  const figures: Record<string, TagFigure[]> = {
    a: [figure("domain", "law", 5, 0.1), figure("domain", "news", 9), figure("language", "en", 14)],
    b: [figure("domain", "news", 9, 0.7), figure("language", "en", 14)],
  };
  const tables = tagTables(entries, (run) => figures[run] ?? []);
  expect(tables.map(({ tag, left }) => [tag, left])).toEqual([["domain", 0]]);
  expect(tables[0]?.values).toEqual([
    { name: "news", n: 9 },
    { name: "law", n: 5 },
  ]);
  const rows = tables[0]?.rows.map(({ entry, figures: cells }) => [
    entry.run,
    cells.map((cell) => cell?.headline.value ?? null),
  ]);
  expect(rows).toEqual([
    ["a", [0.5, 0.1]],
    ["b", [0.7, null]],
  ]);
});

it("tagTables() shows the most frequent of many values and counts the others", () => {
  const figures = Array.from({ length: 30 }, (_, i) => figure("domain", `d${i}`, i));
  const [table] = tagTables(entries, () => figures);
  expect(table?.values.at(-1)).toEqual({ name: "d6", n: 6 });
  expect([table?.values.length, table?.left]).toEqual([24, 6]);
});

it("tagTables() omits runs without values", () => {
  const figures = [figure("kind", "x", 3), figure("kind", "y", 2)];
  const [table] = tagTables(entries, (run) => (run === "a" ? figures : []));
  expect(table?.rows.map(({ entry }) => entry.run)).toEqual(["a"]);
  expect(tagTables(entries, () => [])).toEqual([]);
});

it("tagSlug() keeps a plain tag, and hashes any other", () => {
  expect(["domain", "work_stress-2"].map(tagSlug)).toEqual(["domain", "work_stress-2"]);
  const slugs = ["Domain", "a/b", "<script>", "", "..", "x".repeat(99)].map(tagSlug);
  for (const slug of slugs) expect(slug).toMatch(/^tag-[0-9a-f]{12}$/);
  expect(new Set(slugs).size).toBe(slugs.length);
});
