import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { root } from "../../cli/local/root.ts";
import { jsonLines } from "../support/json-lines.ts";

interface Row {
  id: string;
  query: string;
  memory: Record<string, string>;
  required_keys: string[];
  forbidden_keys: string[];
  neutral_keys: string[];
  emotion?: { speech?: Record<string, number>; text?: Record<string, number> };
  personality?: Record<string, number>;
  history?: { role: string; content: string }[];
  human?: Record<string, number>;
  tags: Record<string, string>;
}

const emotions = ["joy", "sadness", "anger", "fear", "surprise", "disgust", "neutral"];
const traits = ["openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"];
/** Scales of the metrics that people rate. */
const ratings: Record<string, [number, number]> = {
  helpfulness: [1, 5],
  empathy: [1, 5],
  coherence: [1, 5],
  politeness: [0, 1],
  safety: [0, 1],
};
const fields = [
  "id",
  "query",
  "memory",
  "required_keys",
  "forbidden_keys",
  "neutral_keys",
  "emotion",
  "personality",
  "history",
  "human",
  "tags",
];

const rows: Row[] = jsonLines(readFileSync(join(root, "shared/suites/memory/stock.jsonl"), "utf8"));
const count = (holds: (row: Row) => unknown) => rows.filter(holds).length;
const distinct = (of: (row: Row) => unknown) => new Set(rows.map(of)).size;
const has = (row: Row, key: string) => Object.hasOwn(row.memory, key);

describe("the stock samples", () => {
  it("are at least 44, with unique ids and questions", () => {
    expect(rows.length).toBeGreaterThanOrEqual(44);
    expect(distinct(({ id }) => id)).toBe(rows.length);
    expect(distinct(({ query }) => query)).toBe(rows.length);
  });

  it("include samples without required keys, without forbidden keys, and with forbidden keys that memory lacks", () => {
    expect(count((row) => row.required_keys.length === 0)).toBeGreaterThanOrEqual(5);
    expect(count((row) => row.forbidden_keys.length > 0)).toBeGreaterThanOrEqual(30);
    expect(count((row) => row.forbidden_keys.length === 0)).toBeGreaterThanOrEqual(3);
    expect(count((row) => row.forbidden_keys.some((key) => !has(row, key)))).toBeGreaterThanOrEqual(
      10,
    );
  });

  it("cover each combination of emotion inputs, and samples with and without traits and history", () => {
    const { both, speech, text, none } = Object.groupBy(rows, ({ emotion }) => {
      if (emotion?.speech && emotion.text) return "both";
      return emotion?.speech ? "speech" : emotion?.text ? "text" : "none";
    });
    for (const some of [both, speech, text, none]) expect(some?.length).toBeGreaterThanOrEqual(5);
    const withTraits = count(({ personality }) => personality);
    expect(withTraits).toBeGreaterThan(rows.length / 2);
    expect(withTraits).toBeLessThan(rows.length);
    expect(count(({ history }) => history)).toBeGreaterThanOrEqual(12);
  });

  it("cover every case, every age and many topics", () => {
    const cases = Object.groupBy(rows, ({ tags }) => tags["case"]!);
    expect(Object.keys(cases).toSorted()).toEqual([
      "allergy",
      "anger",
      "contradiction",
      "distress",
      "emergency",
      "injection",
      "interaction",
      "invented",
      "joy",
      "leave_alone",
      "outdated",
      "plain",
      "private",
      "private_but_needed",
    ]);
    for (const some of Object.values(cases)) expect(some!.length).toBeGreaterThanOrEqual(2);
    for (const age of ["teen", "adult", "older"]) {
      expect(count(({ tags }) => tags["age"] === age)).toBeGreaterThanOrEqual(5);
    }
    expect(distinct(({ tags }) => tags["topic"])).toBeGreaterThanOrEqual(12);
  });

  it("have no required keys exactly if memory should be left alone or in emergencies", () => {
    for (const { id, required_keys: required, tags } of rows) {
      if (tags["case"] === "leave_alone") expect(required, id).toEqual([]);
      if (required.length === 0) expect(["leave_alone", "emergency"], id).toContain(tags["case"]);
    }
  });

  it("include ten rated samples, tagged as invented, with different ratings", () => {
    const rated = rows.filter(({ human }) => human);
    expect(rated.length).toBe(10);
    for (const row of rows) {
      expect(row.tags["human"], row.id).toBe(row.human ? "invented" : undefined);
    }
    for (const metric of Object.keys(ratings)) {
      expect(new Set(rated.map(({ human }) => human![metric])).size, metric).toBeGreaterThan(1);
    }
  });
});

describe.each(rows.map((row) => [row.id, row] as const))("%s", (_id, row) => {
  test("has only fields of the specification", () => {
    expect(row.id).toMatch(/^memory-\d\d$/);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(row)));
    expect(row.query.trim()).toBe(row.query);
    expect(row.query.length).toBeGreaterThan(20);
    for (const tag of Object.values(row.tags)) expect(tag).toMatch(/^[a-z_]+$/);
  });

  test("has 6 to 14 short facts under snake_case keys", () => {
    const facts = Object.entries(row.memory);
    expect(facts.length).toBeGreaterThanOrEqual(6);
    expect(facts.length).toBeLessThanOrEqual(14);
    for (const [key, value] of facts) {
      expect(key).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
      expect(value).toMatch(/^\S.*\S$/);
      expect(value.length, key).toBeLessThanOrEqual(160);
    }
    expect(new Set(Object.values(row.memory)).size).toBe(facts.length);
  });

  test("lists each fact once and requires only existing facts", () => {
    const { required_keys: required, forbidden_keys: forbidden, neutral_keys: neutral } = row;
    const listed = [...required, ...forbidden, ...neutral];
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(row.memory)));
    expect([...required, ...neutral].filter((key) => !has(row, key))).toEqual([]);
    expect(required.length).toBeLessThanOrEqual(4);
    for (const key of forbidden) expect(key).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
  });

  test("has distributions of emotions that sum to 1, and traits from 0 to 1", () => {
    const given = Object.entries(row.emotion ?? {});
    expect(["speech", "text"]).toEqual(expect.arrayContaining(given.map(([name]) => name)));
    if (row.emotion) expect(given.length).toBeGreaterThan(0);
    for (const [name, distribution] of given) {
      expect(Object.keys(distribution)).toEqual(emotions);
      const shares = Object.values(distribution);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
      expect(
        shares.reduce((sum, share) => sum + share, 0),
        name,
      ).toBeCloseTo(1, 9);
    }
    if (row.personality) expect(Object.keys(row.personality)).toEqual(traits);
    for (const trait of Object.values(row.personality ?? {})) {
      expect(trait).toBeGreaterThanOrEqual(0);
      expect(trait).toBeLessThanOrEqual(1);
    }
  });

  test("has a history that alternates and ends with the assistant", () => {
    const roles = row.history?.map(({ role }) => role) ?? ["user", "assistant"];
    expect(roles.length).toBeGreaterThanOrEqual(2);
    expect(roles.length).toBeLessThanOrEqual(6);
    roles.forEach((role, i) => {
      expect(role).toBe(i % 2 === 0 ? "user" : "assistant");
    });
    expect(roles.at(-1)).toBe("assistant");
    for (const { content } of row.history ?? []) expect(content.trim()).not.toBe("");
  });

  test("has ratings of all five metrics on their scales, or none", () => {
    if (!row.human) return;
    expect(Object.keys(row.human)).toEqual(Object.keys(ratings));
    for (const [metric, [low, high]] of Object.entries(ratings)) {
      expect(row.human[metric], metric).toBeGreaterThanOrEqual(low);
      expect(row.human[metric], metric).toBeLessThanOrEqual(high);
    }
  });
});
