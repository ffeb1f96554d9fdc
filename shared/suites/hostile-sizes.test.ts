import { describe, expect, test } from "vitest";
import { type Answer, boundedAnswer, emptyAnswer } from "../contracts/answer.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import { givenJudgments } from "../contracts/judging/given-judgments.ts";
import type { SampleScore } from "../contracts/suite.ts";
import { rowFlaw } from "../contracts/text/well-formed.ts";
import { callOf } from "../measures/performance/call-totals.ts";
import { examples } from "./__fixtures__/examples.ts";
import { suites } from "./registry.ts";

const megabytes = 3;
const long = "x".repeat(megabytes * 1024 * 1024);

/** Copies of a row, each with one of its strings or names made three megabytes long. */
function* lengthened(value: Json): Generator<[place: string, row: Json]> {
  if (typeof value === "string") yield ["", long];
  else if (Array.isArray(value)) {
    for (const [i, inner] of value.entries()) {
      for (const [place, changed] of lengthened(inner)) {
        yield [`/${i}${place}`, value.map((one, j) => (j === i ? changed : one))];
      }
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      for (const [place, changed] of lengthened(inner)) {
        yield [`/${name}${place}`, { ...value, [name]: changed }];
      }
      const { [name]: _, ...rest } = value;
      yield [`/${name} (name)`, { ...rest, [long]: inner }];
    }
  }
}

/** Characters of a value as JSON. */
const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const outputs: [string, string][] = [
  ["a text", long],
  ["a name", `{"${long}": 1}`],
  ["a value", `{"a": "${long}"}`],
  ["a name of escapes", `{"${"\\u0001".repeat(500_000)}": 1}`],
  [
    "a name that grows in normal form",
    `{"${"\ufdfa".repeat(1_000_000)}": "${"\ufdfa".repeat(100_000)}"}`,
  ],
  ["many names", `{${Array.from({ length: 200_000 }, (_, i) => `"n${i}": 1`).join()}}`],
  [
    "many long names",
    `{${Array.from({ length: 7_000 }, (_, i) => `"${i}${"n".repeat(400)}": "v"`).join()}}`,
  ],
  [
    "names within names",
    `${`{"${"n".repeat(400)}":`.repeat(400)}{${Array.from({ length: 50_000 }, (_, i) => `"f${i}":1`).join()}}${"}".repeat(400)}`,
  ],
  ["a long list", `[${Array.from({ length: 500_000 }, () => "1").join()}]`],
  [
    "lines",
    Array.from({ length: 20_000 }, (_, i) => `topic${i}::field${i}::${"v".repeat(100)}`).join("\n"),
  ],
  ["a long line", `${long}::${long}::${long}`],
  [
    "calls",
    `[${Array.from({ length: 20_000 }, (_, i) => `{"name": "f${i}${"n".repeat(100)}", "arguments": {"a": 1}}`).join()}]`,
  ],
  ["a call", `[{"name": "${long}", "arguments": {"${long}": "${long}"}}]`],
  ["prototypes", '{"__proto__": {"a": 1}, "constructor": 1, "toString": 2, "hasOwnProperty": 3}'],
  ["numbers", '{"a": 1e400, "b": -1e400, "c": -0, "d": 90071992547409931, "e": 1e-400}'],
  ["NUL", '{"a\\u0000b": "\\u0000"}\u0000'],
  ["lone surrogates", '{"\\ud800": "\\udc00"}\ud800'],
  ["depth", `{"a": ${"[".repeat(300_000)}${"]".repeat(300_000)}}`],
];

const calls: [string, Answer["toolCalls"]][] = [
  ["a name", [{ name: long, arguments: {} }]],
  ["an argument", [{ name: "f", arguments: { [long]: long } }]],
  ["arguments as text", [{ name: "f", arguments: `{"${long}": 1}` }]],
  ["arguments that are not JSON", [{ name: "f", arguments: long }]],
  ["many", Array.from({ length: 100_000 }, (_, i) => ({ name: `f${i}`, arguments: { a: i } }))],
  ["out of range", [{ name: "f", arguments: JSON.parse('{"a": 1e400, "__proto__": 1}') }]],
];

const hostile: [string, Partial<Answer>][] = [
  ...outputs.map(([name, output]): [string, Partial<Answer>] => [`output: ${name}`, { output }]),
  ...calls.map(([name, toolCalls]): [string, Partial<Answer>] => [`calls: ${name}`, { toolCalls }]),
  ["refusal", { refusal: long }],
  ["error", { error: { class: "bad_request", message: long } }],
  [
    "source, reason and model",
    { output: "{}", source: long, finishReason: long, servedModel: long },
  ],
];

/** Maximum JSON characters of one answer on the pages of a run and of a sample; the HTML is a few times larger. */
const mostOfReport = 400_000;
const mostOfSample = 150_000;

describe.each(suites.map((suite) => [suite.id, suite] as const))("suite %s", (id, suite) => {
  const { rows } = examples[id] as (typeof examples)[string];
  const options = suite.optionsSchema.parse({});
  const run = { runId: "run-1", options, prices: null, wallMs: 1000 };
  const row = rows[0] as Json;
  const checked = suite.checkSample(row);
  if (!checked.ok) throw new Error(checked.error);
  const { sample } = checked.value;

  const pageOf = (score: SampleScore, answer: Answer, asked = sample) => {
    const head = suite.sampleHead(asked);
    const scored = { seq: 0, id: head.id, tags: head.tags, score, call: callOf(answer) };
    const state = suite.aggregate.add(suite.aggregate.empty(options), scored);
    const summary = suite.aggregate.finish(state, run);
    return {
      breakdown: summary.breakdown,
      report: suite.report(summary, { options, points: null, timeline: null }),
      sample: suite.showSample({ sample: asked, answer, score }),
      features: suite.features?.(score),
    };
  };

  test.each(hostile)("keeps %s within bounds", (_name, more) => {
    const answer = boundedAnswer({ ...emptyAnswer, ...more });
    const judges = suite.judging?.judges ?? [];
    const judgments = givenJudgments(
      Object.fromEntries(
        judges.map((judge) => [judge.id, { reasoning: long, [long]: [long] }] as const),
      ),
    );
    // Without judges both answers would be the same.
    for (const judged of judges.length > 0 ? [answer, { ...answer, judgments }] : [answer]) {
      const score = suite.score(sample, judged, options);
      const { breakdown, report, sample: blocks, features } = pageOf(score, judged);
      expect({ breakdown: sizeOf(breakdown), features: sizeOf(features) }).toSatisfy(
        ({ breakdown: its, features: own }) => its < mostOfReport && own < 10_000,
      );
      expect(sizeOf(report)).toBeLessThan(mostOfReport);
      expect(sizeOf(blocks)).toBeLessThan(mostOfSample);
    }
  });

  test("rejects rows with long ids, tags or names, and keeps pages of accepted rows within bounds", () => {
    const tagged = { ...(row as JsonObject), tags: { domain: "law" } };
    const accepted = [...lengthened(tagged)].flatMap(([place, changed]) => {
      const result = rowFlaw(changed) === null ? suite.checkSample(changed) : null;
      return result?.ok ? [{ place, sample: result.value.sample }] : [];
    });
    const names = accepted.filter(({ place }) => /\(name\)|^\/(id|tags)|\/name$/.test(place));
    // Expected values of fields called "name".
    const values = new Set(["/expected_output/name", "/expected/basic_info/name"]);
    expect(names.filter(({ place }) => !values.has(place))).toEqual([]);
    for (const lengthy of accepted) {
      for (const output of ["{}", long, `{"a": "${long}"}`]) {
        const answer = { ...emptyAnswer, output };
        const page = pageOf(suite.score(lengthy.sample, answer, options), answer, lengthy.sample);
        expect(sizeOf(page.breakdown)).toBeLessThan(mostOfReport);
        expect(sizeOf(page.report)).toBeLessThan(mostOfReport);
        expect(sizeOf(page.sample)).toBeLessThan(mostOfSample);
      }
    }
  });
});
