import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { helpfulness, safety } from "./advice-rubrics.ts";
import { congruence, continuity, empathy, persona, politeness } from "./person-rubrics.ts";
import type { Rubric } from "./rubric.ts";
import { citedKeys, coherence, consistency, groundedClaims } from "./text-rubrics.ts";

/** Rubrics by the property that holds the verdict. */
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

/** A rubric, by the name of its verdict. */
export interface KnownRubric {
  metric: string;
  judge: Rubric;
}

/** The rubric whose judgment has the shape of a schema; null where none is known. */
export function rubricFor({ properties }: JsonObject): KnownRubric | null {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const metric = names.find((name) => Object.hasOwn(rubrics, name));
  const judge = metric === undefined ? undefined : rubrics[metric];
  return metric === undefined || judge === undefined ? null : { metric, judge };
}
