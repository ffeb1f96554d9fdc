import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { quotable, shareIn, stemsOf } from "../language/stems.ts";
import { helpfulness } from "./advice-rubrics.ts";
import type { AnalyzedMaterial } from "./analyze-material.ts";
import type { Rubric } from "./rubric.ts";
import { coherence } from "./text-rubrics.ts";

/** Names the grades in the schema of a criterion's judgment. */
const gradeList = /best first: (-?[\d.]+(?:, -?[\d.]+)+)/;

/** Share of the reference's words that is enough. */
const enough = 0.7;

/** Quotations in a judgment. */
const mostEvidence = 2;

/**
 * Judges any criterion of a submitted rubric: by the share of the reference's words in the answer, or without a reference
 * by helpfulness and coherence. Null for the schema of another judgment.
 */
export function criterionRubric({ properties }: JsonObject): Rubric | null {
  const score = isJsonObject(properties) ? properties["score"] : undefined;
  const [, list] = gradeList.exec(isJsonObject(score) ? String(score["description"]) : "") ?? [];
  if (list === undefined) return null;
  const bestFirst = list.split(", ").map(Number);
  return (analyzed, bias, draws) => {
    const level = (grades: JsonObject, name: string) => (Number(grades[name]) - 1) / 4;
    const helps = level(helpfulness(analyzed, bias, draws), "helpfulness_score");
    const reads = level(coherence(analyzed, bias, draws), "coherence_score");
    const plain = 0.75 * helps + 0.25 * reads;
    const found = comparedWith(analyzed);
    const known =
      found === null ? plain : 0.85 * found.covered + 0.15 * plain - 0.5 * found.strayRate;
    const worth = bias.share(Math.min(1, Math.max(0, known)));
    return {
      reasoning:
        found === null
          ? `It helps to ${Math.round(100 * plain)}%.`
          : `It has ${Math.round(100 * found.covered)}% of what the reference says.`,
      evidence: analyzed.sentences.slice(0, mostEvidence).map(({ text }) => quotable(text)),
      score: bestFirst[Math.round((1 - worth) * (bestFirst.length - 1))] ?? bestFirst[0]!,
    };
  };
}

/** Share of the reference's words in the answer, and of its sentences without any; null without a reference. */
function comparedWith({ material, sentences }: AnalyzedMaterial) {
  const stems = stemsOf(material.reference);
  if (stems.length === 0) return null;
  const used = new Set(sentences.flatMap((sentence) => sentence.stems));
  const stray = sentences.filter(({ all }) => !stems.some((stem) => all.has(stem)));
  return {
    covered: Math.min(1, shareIn(stems, used) / enough),
    strayRate: stray.length / Math.max(1, sentences.length),
  };
}
