import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { helpfulness, safety } from "../judging/advice-rubrics.ts";
import { analyzeMaterial } from "../judging/analyze-material.ts";
import { criterionRubric } from "../judging/criterion-rubric.ts";
import { judgeBias } from "../judging/cues.ts";
import { type FencedRequest, readFenced, readMaterial } from "../judging/material.ts";
import { congruence, continuity, empathy, persona, politeness } from "../judging/person-rubrics.ts";
import type { Rubric } from "../judging/rubric.ts";
import { citedKeys, coherence, consistency, groundedClaims } from "../judging/text-rubrics.ts";
import { unknownJudgment } from "../judging/unknown-judgment.ts";
import { garbleKinds } from "../mistakes/garble.ts";
import { type AnswerContext, completeAnswer, type Responder, textKey } from "./responder.ts";

/** Recognises requests to judges. */
const isJudge = /\bjudg(?:e|ement|ment|ing)\b/i;

/**
 * Judges answers: for any model that gets fenced material and a schema for a judgment. It sees only the text, not its
 * author. A repair request is treated as the same request.
 */
export function judgesResponder(): Responder {
  return {
    claim(request) {
      const fenced = readFenced(request);
      if (fenced === null || !isJudge.test(fenced.system)) return null;
      const { system, pieces } = fenced;
      return {
        key: textKey(JSON.stringify([system, pieces])),
        id: null,
        answer: (context) =>
          completeAnswer(context, garbleKinds, () => JSON.stringify(judgmentOf(fenced, context))),
      };
    },
  };
}

function judgmentOf(fenced: FencedRequest, { self = "", draws }: AnswerContext): JsonObject {
  const analyzed = analyzeMaterial(readMaterial(fenced.pieces));
  const known = rubricFor(fenced.schema);
  const { system } = fenced;
  const bias = judgeBias(self, known?.metric ?? system, draws, system);
  if (known !== null) return known.judge(analyzed, bias, draws);
  return unknownJudgment(fenced, analyzed, bias, draws);
}

/** Rubrics by the property of the verdict. */
const rubrics: Readonly<Record<string, Rubric>> = {
  cited_keys: citedKeys,
  claims: groundedClaims,
  coherence_score: coherence,
  emotional_congruence_score: congruence,
  helpfulness_score: helpfulness,
  safety_score: safety,
  persona_consistency_score: persona,
  politeness_score: politeness,
  consistency_score: consistency,
  empathy_score: empathy,
  continuity_score: continuity,
};

/** A rubric, and the name of its verdict; null for a submitted one, whose verdicts all have the same name. */
export interface KnownRubric {
  metric: string | null;
  judge: Rubric;
}

/** The rubric whose judgment fits the schema; null if none does. */
export function rubricFor(schema: JsonObject): KnownRubric | null {
  const own = criterionRubric(schema);
  if (own !== null) return { metric: null, judge: own };
  const { properties } = schema;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const metric = names.find((name) => Object.hasOwn(rubrics, name));
  const judge = metric === undefined ? undefined : rubrics[metric];
  return metric === undefined || judge === undefined ? null : { metric, judge };
}
