import type { Answer } from "../../../contracts/answer.ts";
import { asObject, isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import type { FieldsBlock, ReportBlock, TableBlock, Tone } from "../../../contracts/report.ts";
import type { AnswerFault, SampleToShow } from "../../../contracts/suite.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import { reasonWords } from "../../../measures/json-schema/reason-words.ts";
import { figureText } from "../../../measures/report/figures/figure-text.ts";
import { answerNotes } from "../../../measures/report/show/answer-notes.ts";
import { answerFault } from "../../../measures/report/show/sample-look.ts";
import {
  shortText,
  shownJson,
  shownTable,
  shownText,
} from "../../../measures/report/show/shown-text.ts";
import type { ToolsSample } from "../sample.ts";
import { type ExpectedCall, toolFunction, toolName } from "../sample-parts.ts";
import { argumentFailures, type FailureClass } from "../score/failures.ts";
import type { CallPair, MatchRules, PredictedCall } from "../score/match-calls.ts";
import type { ToolsDetail } from "../score/score.ts";
import { levelScore, timeScore } from "../score/total-score.ts";
import { callPairs, modeOf, rulesOf } from "./call-pairs.ts";
import { turnBlocks } from "./show-turns.ts";

/** Maximum characters of tools, whose number is not limited, and of text next to calls. */
const mostText = 1_000;

/**
 * A sample with the calls that were made: the conversation, the available tools, expected calls next to made ones,
 * the components of the score, and the source of the answer. Without a detail the expected calls and the unchanged
 * reply. Never throws. Texts are cut.
 * @example showTools({ sample, answer, score })[0]?.title // "Conversation"
 */
export function showTools({
  sample,
  answer,
  score: { detail },
  isWhole = false,
}: SampleToShow<ToolsSample, ToolsDetail>): ReportBlock[] {
  const { messages, tools, expected_calls: expected } = sample;
  const conversation = messages.map(({ role, content }) => `${role}: ${content}`).join("\n");
  const said = saidText(answer.output, detail?.from === "native");
  const asked = [
    shownText("Conversation", conversation),
    shownText("Tools offered", tools.map(signature).join("\n") || "(none)", {
      isCode: true,
      most: mostText,
    }),
  ];
  if (detail === null) {
    const made = answer.toolCalls?.map((call) => ({
      name: call.name,
      arguments: (call.arguments ?? null) as JsonObject,
    }));
    return [
      ...asked,
      shownJson("Expected calls", expected as unknown as JsonObject[]),
      ...answerNotes(answer),
      ...(made === undefined ? [] : [shownJson("Calls made", made)]),
      ...said,
    ];
  }
  const { conversation: inTurns } = sample;
  const turns = inTurns && detail.turns;
  const calls = callFields(callPairs({ sample, answer, detail }), detail, isWhole);
  const errors = [...answerNotes(answer), calls, ...schemaNotes(detail)];
  const spoken = turns ? turnBlocks(inTurns, answer.turns ?? [], turns, modeOf(detail)) : said;
  if (isWhole) return [...errors, ...spoken, ...asked, ...scoreTables(detail, answer)];
  return [
    ...asked,
    ...answerNotes(answer),
    ...(turns ? spoken : []),
    calls,
    ...schemaNotes(detail),
    ...(turns ? [] : spoken),
    ...scoreTables(detail, answer),
  ];
}

/**
 * Why an answer does not count. A missing text is not a fault: it can be right to make no call.
 * @example toolsFault(shown)?.id // "failed_request"
 */
export function toolsFault({ answer }: Pick<SampleToShow<ToolsSample, ToolsDetail>, "answer">) {
  const fault: AnswerFault | null = answerFault(answer);
  return fault?.id === "empty" ? null : fault;
}

/** Text next to calls is commentary; text instead of calls may contain them. */
function saidText(output: string | null, hasCalls: boolean): ReportBlock[] {
  if (output === null || output.trim() === "") return [];
  const title = hasCalls ? "Text with the calls" : "Text of the answer";
  return [shownText(title, output, { most: mostText, isCode: /^\s*[[{`]/.test(output) })];
}

/** A tool in one line: its name and parameters; optional ones have a question mark. */
function signature(tool: JsonObject): string {
  const { parameters } = toolFunction(tool);
  const { properties, required } = asObject(parameters);
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = isJsonObject(properties) ? Object.entries(properties) : [];
  const parts = names.map(([name, schema]) => {
    const type = isJsonObject(schema) && typeof schema["type"] === "string" ? schema["type"] : "";
    return `${name}${needed.has(name) ? "" : "?"}${type && `: ${type}`}`;
  });
  return `${toolName(tool) ?? ""}(${parts.join(", ")})`;
}

function schemaNotes({ schemaErrors }: ToolsDetail): ReportBlock[] {
  return shownTable(
    "Arguments that do not fit the schema",
    [["reason", "Function and reason", "text"]],
    schemaErrors.map((error) => {
      const [name = "", reason] = error.split(/: (.*)/s);
      return { reason: reason === undefined ? error : `${name}: ${reasonWords(reason)}` };
    }),
  );
}

/**
 * The components of a sample's score, and the endpoints of a hybrid target.
 * Source: docs/spec/tools.md, metrics; source and hybrid routing.
 * @example scoreTables(detail, answer)[0]?.title // "Components of the score"
 */
const scoreTables = (detail: ToolsDetail, answer: Pick<Answer, "hybrid">): ReportBlock[] => [
  ...scoreTable(detail),
  ...endpointTable(detail, answer),
];

/** The components of the score that the sample would have as a level. */
function scoreTable({ f1, precision, recall, slowness, ...detail }: ToolsDetail): ReportBlock[] {
  if (detail.status === "error") return [];
  const onDevice = Number(detail.onDevice);
  const nothing = { f1: 0, slowness: null, onDevice: 0 };
  const time = slowness === null ? "no latency is known" : `${slowness.toFixed(2)} of the baseline`;
  const rows: TableBlock["rows"] = [
    {
      part: "F1 of the calls",
      value: f1,
      share: levelScore({ ...nothing, f1 }),
      by: `precision ${figureText(precision, "score")}, recall ${figureText(recall, "score")}`,
    },
    {
      part: "Time score",
      value: timeScore(slowness),
      by: time,
      share: levelScore({ ...nothing, slowness }),
    },
    {
      part: "On device",
      value: onDevice,
      share: levelScore({ ...nothing, onDevice }),
      by: `source ${detail.source ?? "not stated"}`,
    },
  ];
  return shownTable(
    "Components of the score",
    [
      ["part", "Part", "text"],
      ["value", "Value", "score"],
      ["share", "Share of the score", "score"],
      ["by", "By", "text"],
    ],
    rows,
  );
}

/** For a hybrid target: the endpoints asked, the confidence of the local answer, and which answer was kept. */
function endpointTable(detail: ToolsDetail, { hybrid }: Pick<Answer, "hybrid">): ReportBlock[] {
  if (!detail.hybrid || !hybrid) return [];
  const { localF1, cloudF1, confidence } = detail.hybrid;
  const { local, cloud } = hybrid;
  const rows: TableBlock["rows"] = [
    {
      endpoint: "local",
      f1: localF1,
      confidence,
      ms: local.latencyMs,
      state: stateOf(local.error, detail.onDevice),
    },
    ...(cloud === null
      ? []
      : [
          {
            endpoint: "cloud",
            f1: cloudF1,
            confidence: cloud.confidence,
            ms: cloud.latencyMs,
            state: stateOf(cloud.error, !detail.onDevice),
          },
        ]),
  ];
  return shownTable(
    "Endpoints",
    [
      ["endpoint", "Endpoint", "text"],
      ["state", "Outcome", "text"],
      ["f1", "F1", "score"],
      ["confidence", "Confidence", "score"],
      ["ms", "Latency", "ms"],
    ],
    rows,
  );
}

function stateOf(error: { class: string } | null, isKept: boolean): string {
  if (error !== null) return `failed: ${error.class.replaceAll("_", " ")}`;
  return isKept ? "answer used" : "answer not used";
}

/** Maximum shown calls, and characters of their arguments in a cell. */
const mostCalls = 12;
const mostCallsOfWhole = 200;
const mostArguments = 200;

const verdicts: Readonly<Record<CallPair["how"], readonly [verdict: string, tone: Tone]>> = {
  matched: ["match", "right"],
  arguments: ["wrong arguments", "other"],
  function: ["wrong function", "wrong"],
  missing: ["missed", "missed"],
  extra: ["extra", "extra"],
};

const words: Partial<Readonly<Record<FailureClass, string>>> = {
  wrongArgument: "another value",
  missingArgument: "missing",
  surplusArgument: "not expected",
};

/**
 * Pairs of expected and made calls side by side, with errors in the arguments.
 * @example callFields(callPairs(shown), detail, false).rows[0]?.verdict // "match"
 */
function callFields(
  pairs: readonly CallPair[],
  detail: ToolsDetail,
  isWhole: boolean,
): FieldsBlock {
  const made = pairs.filter(({ predicted }) => predicted !== null).length;
  const most = isWhole ? mostCallsOfWhole : mostCalls;
  const shown = isWhole
    ? pairs.toSorted((a, b) => Number(a.how === "matched") - Number(b.how === "matched"))
    : pairs;
  return {
    kind: "fields",
    title: "Expected calls and calls made",
    rows: shown.slice(0, most).map((pair) => rowOf(pair, rulesOf(detail))),
    left: Math.max(0, pairs.length - most) + Math.max(0, detail.predicted - made),
  };
}

function rowOf(pair: CallPair, rules: MatchRules): FieldsBlock["rows"][number] {
  const [verdict, tone] = verdicts[pair.how];
  const path = pair.expected === null ? nameOf(pair.predicted) : pair.expected.name;
  const made = pair.predicted && argumentText(pair.predicted.arguments);
  return {
    path,
    expected: pair.expected && argumentText(pair.expected.arguments),
    answer: pair.how === "function" ? cut(`${nameOf(pair.predicted)} ${made}`) : made,
    verdict,
    tone,
    note: pair.how === "arguments" ? flaws(pair.expected, pair.predicted, rules) : null,
  };
}

const nameOf = (call: PredictedCall): string => call.name || "(unreadable)";

function flaws(expected: ExpectedCall, made: PredictedCall, rules: MatchRules): string {
  const failures = argumentFailures(expected, made, rules);
  const parts = failures.map(({ class: kind, argument }) =>
    argument === null
      ? "the arguments are not a JSON object"
      : `${argument}: ${words[kind] ?? kind}`,
  );
  return cut(parts.join("; "));
}

function argumentText(value: Json): string {
  if (value === null) return "(not a JSON object)";
  return cut(isTooDeep(value) ? "(nested too deep)" : JSON.stringify(value));
}

const cut = (text: string): string => shortText(text, mostArguments);
