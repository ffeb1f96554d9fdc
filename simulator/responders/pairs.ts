import { emptyAnswer } from "../../shared/contracts/answer.ts";
import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { checkSample } from "../../shared/suites/pairs/sample.ts";
import { defaultOptions } from "../../shared/suites/quality/options.ts";
import { scoreQuality } from "../../shared/suites/quality/score/score.ts";
import { type FencedRequest, readFenced } from "../judging/material.ts";
import { garbleKinds } from "../mistakes/garble.ts";
import type { MistakeKind } from "../mistakes/mistakes.ts";
import { type AnswerContext, completeAnswer, type Responder, textKey } from "./responder.ts";

const places = ["first", "second"] as const;
type Place = (typeof places)[number];
type Choice = Place | "tie";

const other: Readonly<Record<Place, Place>> = { first: "second", second: "first" };

/** A pair as shown: the request, and the answers in one order. */
type Shown = Readonly<Record<Place | "request", string>>;

/** A pair whose better answer is known. */
interface KnownPair {
  id: string;
  /** Text of the better answer; null: a tie. */
  better: string | null;
}

/**
 * Judges pairs of answers in one order: by the label of a dataset's sample, else by the form of the answers (the
 * headline of `quality`). The same pair has the same key in both orders, so that a wrong opinion is the same in both.
 */
export function pairsResponder(rows: readonly JsonObject[]): Responder {
  const known = new Map(rows.flatMap(knownPair));
  return {
    claim(request) {
      const fenced = readFenced(request);
      const pair = fenced && shownPair(fenced);
      if (fenced === null || pair === null) return null;
      const text = pairText(pair.request, [pair.first, pair.second]);
      const sample = known.get(text);
      return {
        key: textKey(text),
        id: sample?.id ?? null,
        answer: (context) =>
          completeAnswer(context, garbleKinds, (made) => {
            const better = sample === undefined ? byForm(pair) : byLabel(pair, sample);
            const choice = chosen(pair, better, context, made);
            const verdict = choice === "tie" && !mayTie(fenced) ? "first" : choice;
            return JSON.stringify({ reasoning: reasons[verdict], verdict });
          }),
      };
    },
  };
}

const reasons: Readonly<Record<Choice, string>> = {
  first: "The first answer does more of what the request asks for.",
  second: "The second answer does more of what the request asks for.",
  tie: "Both answers do what the request asks for.",
};

function shownPair({ pieces }: FencedRequest): Shown | null {
  const { request, first, second } = pieces;
  if (request === undefined || first === undefined || second === undefined) return null;
  return { request, first, second };
}

function mayTie({ schema: { properties } }: FencedRequest): boolean {
  const verdict = isJsonObject(properties) ? properties["verdict"] : null;
  return isJsonObject(verdict) && Array.isArray(verdict["enum"]) && verdict["enum"].includes("tie");
}

/** Equal for both orders. */
const pairText = (request: string, answers: readonly string[]): string =>
  JSON.stringify([request, ...answers.toSorted()]);

function knownPair(row: JsonObject): [string, KnownPair][] {
  const checked = checkSample(row);
  if (!checked.ok || checked.value.sample.label === null) return [];
  const { id, query, answers, label } = checked.value.sample;
  const better = label === "tie" ? null : answers[label];
  return [[pairText(query, [answers.A, answers.B]), { id, better }]];
}

const byLabel = (pair: Shown, { better }: KnownPair): Choice =>
  places.find((place) => pair[place] === better) ?? "tie";

/** Answers whose scores are closer than this are a tie. */
const alike = 0.01;

function byForm({ request, ...answers }: Shown): Choice {
  const scoreOf = (output: string) =>
    scoreQuality(
      { id: "pair", prompt: request, tags: {} },
      { ...emptyAnswer, output },
      defaultOptions,
    ).detail.overall;
  const difference = scoreOf(answers.first) - scoreOf(answers.second);
  if (Math.abs(difference) < alike) return "tie";
  return difference > 0 ? "first" : "second";
}

/** A judge's verdict: the better answer, unless it prefers a place or length, or errs. */
function chosen(
  pair: Shown,
  better: Choice,
  { rates, draws }: AnswerContext,
  made: MistakeKind[],
): Choice {
  const errs = (kind: MistakeKind): boolean => {
    const isMade = draws.chance(rates[kind]);
    if (isMade) made.push(kind);
    return isMade;
  };
  if (errs("first_place")) return "first";
  if (errs("longer_answer")) return pair.first.length >= pair.second.length ? "first" : "second";
  if (!errs("wrong_verdict")) return better;
  // A wrong verdict on a tie prefers the same text in both orders.
  return better === "tie" ? (pair.first > pair.second ? "first" : "second") : other[better];
}
