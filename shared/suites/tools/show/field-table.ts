import type { Json, JsonObject } from "../../../contracts/json.ts";
import type { FieldRow, FieldTable, JudgedPart } from "../../../contracts/suite.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import type { ToolsSample } from "../sample.ts";
import { type FailureClass, failureClasses } from "../score/failures.ts";
import {
  type CallPair,
  isArgumentMet,
  type MatchRules,
  surplusArguments,
} from "../score/match-calls.ts";
import type { ToolsDetail } from "../score/score.ts";
import { callPairs, rulesOf } from "./call-pairs.ts";

/** Outcome of a call of the right function whose arguments are not an object. */
const malformed = "malformed arguments";

const outcomes: Readonly<Record<CallPair["how"], string>> = {
  matched: "match",
  arguments: "wrong arguments",
  function: "wrong function",
  missing: "missed",
  extra: "extra",
};

/**
 * Paired expected and made calls, one row per argument; a call without arguments has one row. Calls after the first 64
 * of an answer have no rows.
 * Source: docs/spec/tools.md, matching and failures.
 * @example fieldTable.rows(shown)[0]?.["category"] // "met"
 */
export const fieldTable: FieldTable<ToolsSample, ToolsDetail> = {
  columns: [
    { id: "call", description: "which pair of calls, from 0" },
    { id: "function", description: "name expected; of an extra call the name called" },
    { id: "calledFunction", description: "name called; empty for a missed call" },
    {
      id: "outcome",
      description: "match, wrong or malformed arguments, wrong function, missed or extra",
    },
    { id: "argument", description: "name; empty for a call without arguments" },
    { id: "expected", description: "value, or {any_of: […]} where several are right" },
    { id: "predicted", description: "value" },
    { id: "category", description: "met, wrong, missing, surplus, or extra of an extra call" },
    { id: "score", description: "1 if the argument is met and its call matches, else 0" },
  ],
  rows({ sample, answer, score: { detail } }) {
    if (detail === null) return [];
    const rules = rulesOf(detail);
    return callPairs({ sample, answer, detail }).flatMap((pair, i) => rowsOf(pair, i, rules));
  },
  parts: {
    name: "argument",
    of: partOf,
    verdicts: ["met", "wrong", "missing", "surplus", "extra"],
    patterns: failureClasses,
  },
};

/** Failures of whole calls by outcome, and of arguments by category. */
const failures: Readonly<Record<string, FailureClass>> = {
  "wrong function": "wrongFunction",
  missed: "missingCall",
  extra: "extraCall",
  [malformed]: "malformedArguments",
  "wrong arguments wrong": "wrongArgument",
  "wrong arguments missing": "missingArgument",
  "wrong arguments surplus": "surplusArgument",
};

function partOf({ outcome, category, argument, ...row }: FieldRow): JudgedPart {
  const failure = failures[`${outcome}`] ?? failures[`${outcome} ${category}`];
  // A matching call may have surplus arguments.
  const isRight = outcome === outcomes.matched || (category === "met" && failure === undefined);
  return {
    path: `${row["function"]}(${argument ?? ""})`,
    verdict: `${category}`,
    isRight,
    patterns: isRight || failure === undefined ? [] : [failure],
    judge: null,
  };
}

function rowsOf(pair: CallPair, call: number, rules: MatchRules): FieldRow[] {
  const { how, expected, predicted } = pair;
  const wanted = expected?.arguments ?? {};
  const given = predicted?.arguments ?? {};
  const isMalformed = how === "arguments" && predicted.arguments === null;
  const isSame = how === "matched" || (how === "arguments" && !isMalformed);
  const head = {
    call,
    function: expected?.name ?? predicted?.name ?? null,
    calledFunction: predicted?.name ?? null,
    outcome: isMalformed ? malformed : outcomes[how],
  };
  const score = Number(how === "matched");
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(given)])];
  if (names.length === 0) {
    const category = how === "matched" ? "met" : how === "extra" ? "extra" : "missing";
    return [{ ...head, argument: null, expected: null, predicted: null, category, score }];
  }
  const surplus = new Set(surplusArguments(wanted, given));
  return names.map((argument) => {
    const isMet =
      isSame && !surplus.has(argument) && isArgumentMet(wanted[argument]!, given, argument, rules);
    const category = how === "extra" ? "extra" : isMet ? "met" : failing(argument, wanted, given);
    const values = {
      expected: wanted[argument] ?? null,
      predicted: shown(given[argument] ?? null),
    };
    return { ...head, argument, ...values, category, score: score * Number(isMet) };
  });
}

function failing(argument: string, wanted: JsonObject, given: JsonObject): string {
  if (!Object.hasOwn(wanted, argument)) return "surplus";
  return Object.hasOwn(given, argument) ? "wrong" : "missing";
}

/** A value that is nested too deeply can't be written as JSON. */
const shown = (value: Json): Json => (isTooDeep(value) ? "(nested too deep)" : value);
