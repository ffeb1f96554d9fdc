import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it, test } from "vitest";
import { isJsonObject, type Json, type JsonObject } from "../../shared/contracts/json.ts";
import {
  checkSample,
  type Level,
  levels,
  type ToolsSample,
} from "../../shared/suites/tools/sample.ts";
import { toolFunction } from "../../shared/suites/tools/sample-parts.ts";
import { callScore } from "../../shared/suites/tools/score/match-calls.ts";
import { jsonLines } from "../support/json-lines.ts";

const strict = { textRules: "spec", strictArguments: true } as const;
const path = join(import.meta.dirname, "../../shared/suites/tools/stock.jsonl");
const rows: JsonObject[] = jsonLines(readFileSync(path, "utf8"));
const checked = rows.map((row) => checkSample(row));
const samples = checked.flatMap((one) => (one.ok ? [one.value.sample] : []));
const of = (level: Level) => samples.filter(({ difficulty }) => difficulty === level);
const isIrrelevance = ({ expected_calls: calls }: ToolsSample) => calls.length === 0;
const count = (holds: (sample: ToolsSample) => boolean) => samples.filter(holds).length;

/** Placeholder for an omitted argument. */
const leftOut = Symbol("left out");
type Given = Json | typeof leftOut;

function anyOf(value: Json): Json[] | null {
  const any = isJsonObject(value) ? value["any_of"] : undefined;
  return Array.isArray(any) ? any : null;
}

/** The accepted forms of an expected value; each varies one nested value and keeps the first form of the others. */
function forms(value: Json): Given[] {
  const any = anyOf(value);
  if (any) return any.flatMap((one) => (one === "" || one === null ? [leftOut] : forms(one)));
  if (Array.isArray(value)) return variants(value.map(forms)).map((items) => items as Json[]);
  if (!isJsonObject(value)) return [value];
  const names = Object.keys(value);
  return variants(Object.values(value).map(forms)).map((values) => {
    const given = names.flatMap((name, i) => (values[i] === leftOut ? [] : [[name, values[i]]]));
    return Object.fromEntries(given) as JsonObject;
  });
}

/** The first form of each value, then each list with one value in another form. */
function variants(all: readonly Given[][]): Given[][] {
  const first = all.map(([one]) => one as Given);
  const others = all.flatMap((each, i) => each.slice(1).map((one) => first.with(i, one)));
  return [first, ...others];
}

const callsOf = ({ expected_calls: calls }: ToolsSample, form: (all: Given[]) => Given) =>
  calls.map(({ name, arguments: args }) => ({ name, arguments: form(forms(args)) as JsonObject }));

describe("the stock samples", () => {
  it("are all valid without warnings", () => {
    const problems = checked.flatMap((one) => (one.ok ? one.value.warnings : [one.error]));
    expect(problems).toEqual([]);
  });

  it("have unique ids that contain the level", () => {
    expect(new Set(samples.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id, difficulty } of samples) {
      expect(id).toMatch(new RegExp(`^tools-${difficulty}-\\d\\d$`));
    }
  });

  it("have unique conversations, so that an answer identifies its sample", () => {
    const said = samples.map(({ messages }) => messages.at(-1)?.content);
    expect(new Set(said).size).toBe(samples.length);
  });

  it.each(levels)("include at least 20 of level %s, some of which expect no call", (level) => {
    expect(of(level).length).toBeGreaterThanOrEqual(20);
    expect(of(level).filter(isIrrelevance).length).toBeGreaterThanOrEqual(3);
  });

  it("expect at most one call at level medium, and none or several at level hard", () => {
    for (const { expected_calls: calls } of of("medium")) expect(calls.length).toBeLessThan(2);
    for (const { expected_calls: calls } of of("hard")) expect(calls.length).not.toBe(1);
  });

  it("are at least 66, of every kind, many domains, several languages and with system messages", () => {
    expect(samples.length).toBeGreaterThanOrEqual(66);
    expect(count(isIrrelevance)).toBeGreaterThanOrEqual(8);
    const kinds = Object.groupBy(samples, ({ tags }) => tags["kind"]!);
    expect(Object.keys(kinds).toSorted()).toEqual([
      "choice",
      "correction",
      "dialogue",
      "irrelevance",
      "nested",
      "optional",
      "parallel",
      "several",
      "single",
      "units",
    ]);
    expect(new Set(samples.map(({ tags }) => tags["domain"])).size).toBeGreaterThanOrEqual(15);
    expect(count(({ tags }) => tags["language"] !== "en")).toBeGreaterThanOrEqual(6);
    expect(count(({ messages }) => messages.some(({ role }) => role === "system"))).toBeGreaterThan(
      3,
    );
  });

  it("have a kind that matches their expected calls", () => {
    for (const sample of samples) {
      const names = sample.expected_calls.map(({ name }) => name);
      const isTwice = new Set(names).size < names.length;
      expect(sample.tags["kind"] === "irrelevance").toBe(isIrrelevance(sample));
      if (sample.tags["kind"] === "parallel") expect(isTwice).toBe(true);
      if (sample.tags["kind"] === "several") expect(names.length).toBeGreaterThan(1);
    }
    expect(
      count(({ expected_calls: calls }) => new Set(calls.map((c) => c.name)).size < calls.length),
    ).toBeGreaterThanOrEqual(8);
  });

  it("accept alternative values, also nested, and omitted arguments", () => {
    const texts = samples.map(({ expected_calls: calls }) => JSON.stringify(calls));
    const has = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
    expect(has(/"any_of"/)).toBeGreaterThan(10);
    expect(has(/"any_of":\[[^\]]*""\]/)).toBeGreaterThan(5);
    expect(has(/"any_of":\[[^\]]*null\]/)).toBeGreaterThan(0);
    expect(has(/"arguments":\{[^}]*\{[^}]*\{"any_of"/)).toBeGreaterThan(0);
  });
});

describe.each(samples.map((sample) => [sample.id, sample] as const))("%s", (_, sample) => {
  const schemas = new Map(
    sample.tools.map((tool) => [toolFunction(tool)["name"], toolFunction(tool)["parameters"]]),
  );

  test("has described tools with described arguments", () => {
    for (const tool of sample.tools) {
      const { name, description, parameters } = toolFunction(tool);
      expect(tool["type"]).toBe("function");
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description).toMatch(/\.$/);
      expect(parameters).toMatchObject({ type: "object", required: expect.any(Array) });
      const { properties, required } = parameters as { properties: JsonObject; required: string[] };
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required));
      for (const property of Object.values(properties)) {
        expect(property).toMatchObject({
          type: expect.any(String),
          description: expect.any(String),
        });
      }
    }
  });

  test("accepts only calls that are valid by the tool's schema", () => {
    for (const { name, arguments: args } of sample.expected_calls) {
      const validator = new Validator(schemas.get(name) as Schema, "2020-12", false);
      for (const form of forms(args)) expect(validator.validate(form).errors).toEqual([]);
    }
  });

  test("scores 1 for accepted calls, and for no call only if none is expected", () => {
    const f1 = (calls: ReturnType<typeof callsOf>) =>
      callScore(sample.expected_calls, calls, 0, strict).f1;
    expect(f1(callsOf(sample, (all) => all[0]!))).toBe(1);
    expect(f1(callsOf(sample, (all) => all.at(-1)!))).toBe(1);
    expect(f1([])).toBe(isIrrelevance(sample) ? 1 : 0);
  });
});
