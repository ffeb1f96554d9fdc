import type { Advice } from "../../../../measures/report/advice.ts";
import type { ReportFacts } from "../report-facts.ts";
import { balanceAdvice } from "./balance-advice.ts";
import { complexityAdvice } from "./complexity-advice.ts";
import { consistencyAdvice } from "./consistency-advice.ts";
import { exactAdvice } from "./exact-advice.ts";
import { failureAdvice } from "./failure-advice.ts";
import { fieldAdvice } from "./field-advice.ts";
import { groupAdvice } from "./group-advice.ts";
import { hallucinationAdvice } from "./hallucination-advice.ts";
import { latencyAdvice } from "./latency-advice.ts";
import { refusalAdvice } from "./refusal-advice.ts";
import { sizeAdvice } from "./size-advice.ts";
import { truncationAdvice } from "./truncation-advice.ts";
import { validityAdvice } from "./validity-advice.ts";
import { verdictAdvice } from "./verdict-advice.ts";

/** In the order of what should be mended first. */
const rules = [
  failureAdvice,
  truncationAdvice,
  validityAdvice,
  refusalAdvice,
  hallucinationAdvice,
  balanceAdvice,
  fieldAdvice,
  exactAdvice,
  complexityAdvice,
  groupAdvice,
  consistencyAdvice,
  latencyAdvice,
  verdictAdvice,
  sizeAdvice,
] as const;

/**
 * What to change about an extraction, a rule a file; a rule whose figure was not measured says nothing.
 * @example extractionAdvice(facts).map(({ change }) => change) // ["mode", "prompt"]
 */
export function extractionAdvice(facts: ReportFacts): Advice[] {
  return rules.flatMap((rule) => rule(facts));
}
