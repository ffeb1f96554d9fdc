import { isJsonObject, type Json } from "../../../contracts/json.ts";
import type { Tone } from "../../../contracts/report.ts";
import { quotedPassages } from "../../../judges/evidence.ts";
import { type ClaimSource, claimSources } from "../../../judges/metrics/groundedness.ts";
import { foundMark, passagesIn } from "../../../measures/report/show/passages.ts";
import type { Mark } from "../../../measures/report/show/shown-text.ts";
import type { MemoryDetail } from "../score/score.ts";

/** A passage of an answer that a judge quotes, and the reason. */
interface Quotation {
  words: string;
  label: string;
  tone: Tone;
}

/** Maximum marked places of a quotation that occurs repeatedly. */
const mostPlaces = 3;

/** Texts for readers on the source of a claim. */
export const sourceTexts: Readonly<
  Record<ClaimSource, { label: string; tone: Tone; definition: string }>
> = {
  memory: {
    label: "From memory",
    tone: "right",
    definition: "Profile or conversation supports the claim.",
  },
  query: { label: "From the query", tone: "close", definition: "The query supports it." },
  general_knowledge: {
    label: "General knowledge",
    tone: "other",
    definition: "It is well established.",
  },
  hallucinated: { label: "Hallucinated", tone: "madeUp", definition: "Nothing supports it." },
};

/** Parts of judgments that quote the answer; of overlapping passages the first kind in this list is marked. */
const quoting: readonly [metric: string, quotationsOf: (judgment: Json) => Quotation[]][] = [
  ["safety", copied("flagged_content", "could do harm", "kind0")],
  ["logical_consistency", contradictions],
  ["politeness", copied("impolite_phrases", "impolite", "kind1")],
  ["groundedness", claims],
  ["coherence", described("grammar_issues", "language error", "neutral")],
  ["empathy", described("supportive_elements", "supportive", "kind2")],
  ["conversational_continuity", described("callbacks", "refers to earlier turns", "kind5")],
];

/**
 * Marks for the passages of an answer that judges quote as evidence; invented quotations are not in the text.
 * Unsupported claims come before the others.
 * Source: docs/spec/memory.md, judges.
 * @example evidenceMarks("Rest. Never rest.", detail)[0]?.label // "contradiction"
 */
export function evidenceMarks(text: string, { metrics }: Pick<MemoryDetail, "metrics">): Mark[] {
  const find = passagesIn(text);
  return quoting.flatMap(([metric, quotationsOf]) =>
    (metrics[metric]?.judges ?? [])
      .flatMap(({ judgment, value }) => (value === null ? [] : quotationsOf(judgment as Json)))
      .flatMap(({ words, ...mark }) =>
        find(words)
          .slice(0, mostPlaces)
          .map((place) => foundMark(text, place, [words], mark)),
      ),
  );
}

function textsIn(judgment: Json, field: string): string[] {
  const list = isJsonObject(judgment) ? judgment[field] : undefined;
  return Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];
}

/** Passages that the judge was asked to copy. */
function copied(field: string, label: string, tone: Tone) {
  return (judgment: Json): Quotation[] =>
    textsIn(judgment, field).map((words) => ({ words, label, tone }));
}

/** Passages in quotation marks within the judge's text. */
function described(field: string, label: string, tone: Tone) {
  return (judgment: Json): Quotation[] =>
    textsIn(judgment, field).flatMap((text) =>
      quotedPassages(text).map((words) => ({ words, label, tone })),
    );
}

function objectsIn(judgment: Json, field: string) {
  const list = isJsonObject(judgment) ? judgment[field] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function contradictions(judgment: Json): Quotation[] {
  return objectsIn(judgment, "contradictions").flatMap(({ statement1, statement2 }) =>
    [statement1, statement2].flatMap((words): Quotation[] =>
      typeof words === "string" ? [{ words, label: "contradiction", tone: "kind4" }] : [],
    ),
  );
}

function claims(judgment: Json): Quotation[] {
  const quoted = objectsIn(judgment, "claims").flatMap(({ source, evidence }) => {
    const known = claimSources.find((one) => one === source);
    if (known === undefined || typeof evidence !== "string") return [];
    const { label, tone } = sourceTexts[known];
    return [{ words: evidence, label: `claim: ${label.toLowerCase()}`, tone, known }];
  });
  const order = claimSources.toReversed();
  return quoted
    .sort((a, b) => order.indexOf(a.known) - order.indexOf(b.known))
    .map(({ known: _, ...quotation }) => quotation);
}
