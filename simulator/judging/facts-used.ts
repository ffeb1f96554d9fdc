import { shareIn } from "../language/stems.ts";
import type { AnalyzedMaterial, Fact, Passage } from "./analyze-material.ts";

/** Minimum share of a fact's identifying words in a sentence that uses it. */
const leastShare = 0.3;

/** One word suffices if it is a number or has this many letters: it is unlikely to be a coincidence. */
const rareLength = 7;

/** Share of a fact that a passage mentions beyond the query, 0–1; 0 if it is only one common word. */
export function mentionedShare(fact: Pick<Fact, "telling">, passage: Pick<Passage, "all">): number {
  const hits = fact.telling.filter((stem) => passage.all.has(stem));
  const isRare = hits.some((stem) => stem.length >= rareLength || /\d/.test(stem));
  return hits.length >= 2 || isRare ? hits.length / fact.telling.length : 0;
}

/** Keys that the answer uses, each with its best sentence. */
export function factsUsed(
  { facts, sentences, material, query }: AnalyzedMaterial,
  strictness = 1,
): Map<string, Passage> {
  const used = new Map<string, Passage>();
  for (const fact of facts) {
    const best = bestOf(sentences, (sentence) => mentionedShare(fact, sentence));
    if (best !== null && best.score >= leastShare * strictness) used.set(fact.key, best.passage);
  }
  for (const key of material.keys) {
    if (Object.hasOwn(material.profile, key)) continue;
    const words = key.split(/[^\p{L}\p{N}]+/u).map((word) => word.toLowerCase());
    const named = sentences.find((sentence) => isNamed(words, sentence, query));
    if (named !== undefined) used.set(key, named);
  }
  return used;
}

/** A key without a stored fact is used if the answer addresses the person about it. */
function isNamed(words: readonly string[], { text }: Passage, query: Passage): boolean {
  const lower = text.toLowerCase();
  if (!/\byour?\b/.test(lower)) return false;
  const used = words.filter((word) => new RegExp(`\\b${word}`).test(lower));
  const beyond = used.filter((word) => !query.text.toLowerCase().includes(word));
  return used.length === words.length && beyond.length > 0;
}

/** The passage with the highest score above 0. */
export function bestOf(
  passages: readonly Passage[],
  scoreOf: (passage: Passage) => number,
): { passage: Passage; score: number } | null {
  let best: { passage: Passage; score: number } | null = null;
  for (const passage of passages) {
    const score = scoreOf(passage);
    if (score > (best?.score ?? 0)) best = { passage, score };
  }
  return best;
}

/** Share of the query's content words that the sentences contain, 0–1. */
export function onTopic({ sentences, query }: AnalyzedMaterial): number {
  const used = new Set(sentences.flatMap(({ stems }) => stems));
  return shareIn(query.stems, used);
}
