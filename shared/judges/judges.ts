import type { Judge } from "../contracts/judging/judge.ts";
import { coherence } from "./metrics/coherence.ts";
import { conversationalContinuity } from "./metrics/conversational-continuity.ts";
import { emotionalCongruence } from "./metrics/emotional-congruence.ts";
import { empathy } from "./metrics/empathy.ts";
import { groundedness } from "./metrics/groundedness.ts";
import { helpfulness } from "./metrics/helpfulness.ts";
import { logicalConsistency } from "./metrics/logical-consistency.ts";
import { memoryUtilization } from "./metrics/memory-utilization.ts";
import { personaConsistency } from "./metrics/persona-consistency.ts";
import { politeness } from "./metrics/politeness.ts";
import { relevance } from "./metrics/relevance.ts";
import { safety } from "./metrics/safety.ts";

/**
 * All judged metrics, in the order of the specification. A new metric is a file and a line here; options, catalogue,
 * reports and methodology use this list.
 */
export const judges: readonly Judge[] = [
  memoryUtilization,
  groundedness,
  relevance,
  coherence,
  emotionalCongruence,
  helpfulness,
  safety,
  personaConsistency,
  politeness,
  logicalConsistency,
  empathy,
  conversationalContinuity,
];
