import type { Tone } from "../../../contracts/report.ts";
import type { ClaimSource } from "../../../judges/metrics/groundedness.ts";

/** What readers are told of where a claim comes from. */
export const sourceTexts: Readonly<
  Record<ClaimSource, { label: string; tone: Tone; definition: string }>
> = {
  memory: {
    label: "From memory",
    tone: "right",
    definition: "Profile or conversation bears the claim out.",
  },
  query: { label: "From the query", tone: "close", definition: "The query bears it out." },
  general_knowledge: {
    label: "General knowledge",
    tone: "other",
    definition: "It is well established.",
  },
  hallucinated: { label: "Hallucinated", tone: "madeUp", definition: "Nothing bears it out." },
};
