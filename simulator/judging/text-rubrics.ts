import type { JsonObject } from "../../shared/contracts/json.ts";
import { quotable, shareIn } from "../language/stems.ts";
import type { AnalyzedMaterial, Passage } from "./analyze-material.ts";
import type { JudgeBias } from "./cues.ts";
import { factsUsed, mentionedShare, onTopic } from "./facts-used.ts";
import { type Rubric, withQuote } from "./rubric.ts";

/** Minimum share of equal words for a repetition or a contradiction. */
const alike = 0.6;

const turned = /\b(?:not|never|no|don't|doesn't|isn't|aren't|won't|on no account)\b/i;
const conclusion = /^(?:so|therefore|hence|thus|it follows)\b/i;

/** Whether it starts and ends like a sentence. */
const isWhole = ({ text }: Passage): boolean =>
  /^["“(\p{Lu}\p{N}*-]/u.test(text) && /[.!?:…"”)]$/u.test(text);

/** Whether two sentences have mostly the same words. */
const areAlike = (a: Passage, b: Passage): boolean =>
  Math.min(a.stems.length, b.stems.length) >= 2 &&
  Math.max(shareIn(a.stems, b.all), shareIn(b.stems, a.all)) >= alike;

/** Whether an earlier sentence is (nearly) equal. */
export const isRepeated = (one: Passage, at: number, all: readonly Passage[]): boolean =>
  all.slice(0, at).some((other) => other.text === one.text || bothAlike(one, other));

const bothAlike = (a: Passage, b: Passage): boolean =>
  a.stems.length >= 2 && shareIn(a.stems, b.all) >= 0.9 && shareIn(b.stems, a.all) >= 0.9;

/** Sentences that share no word with the query, the profile, or any other sentence. */
export function unrelatedSentences({ sentences, query, facts }: AnalyzedMaterial): Passage[] {
  return sentences.filter((one) => {
    if (one.stems.length < 2) return false;
    const others = [query, ...facts, ...sentences.filter((other) => other !== one)];
    return !others.some(({ all }) => one.stems.some((stem) => all.has(stem)));
  });
}

/** How coherent the answer is as a text. */
export const coherence: Rubric = (analyzed, bias) => {
  const { sentences } = analyzed;
  const count = Math.max(1, sentences.length);
  const faulty = sentences.filter((one) => !isWhole(one));
  const repeated = sentences.filter(isRepeated);
  const stray = unrelatedSentences(analyzed);
  const shares = [faulty, repeated, stray].map(({ length }) => length / count);
  const [faults = 0, repeats = 0, jumps = 0] = shares;
  const quality = sentences.length === 0 ? 1 : 5.1 - 5 * faults - 4 * repeats - 2.5 * jumps;
  const score = bias.level(quality);
  const part = (lost: number) => bias.level(5 - lost);
  return {
    reasoning: `${faulty.length} broken, ${repeated.length} repeated and ${stray.length} stray of ${sentences.length} sentences.`,
    dimensions: {
      logical_flow: part(3 * jumps + 3 * repeats),
      clarity: part(4 * faults),
      consistency: part(2 * jumps),
      organization: part(4 * repeats + 2 * faults),
      relevance: part(4 * (1 - Math.min(1, 2 * onTopic(analyzed)))),
    },
    grammar_issues: faulty.slice(0, 5).map((one) => withQuote("Not a whole sentence:", one)),
    strengths: score >= 4 ? ["Each sentence leads to the next."] : [],
    coherence_score: score,
    explanation: score >= 4 ? "It is easy to follow." : "The reader has to help.",
  };
};

/** Whether the answer is free of contradictions. */
export const consistency: Rubric = (analyzed, bias) => {
  const pairs = contradictionsIn(analyzed).filter(() => bias.notices());
  const issues = looseConclusions(analyzed);
  const score = bias.level(5.2 - 1.9 * pairs.length - 0.8 * issues.length);
  return {
    reasoning: `${pairs.length} pairs of statements disagree.`,
    contradictions: pairs.map(([first, second]) => ({
      statement1: first.text,
      statement2: second.text,
      explanation: "One takes back the other.",
    })),
    reasoning_issues: issues.map((one) => withQuote("Nothing leads up to", one)),
    consistent_elements: pairs.length === 0 && score >= 4 ? ["Advice and reasons agree."] : [],
    consistency_score: score,
    explanation: pairs.length > 0 ? "It takes its advice back." : "No two statements disagree.",
  };
};

/** Pairs of similar sentences of which one is negated. */
function contradictionsIn({ sentences }: AnalyzedMaterial): [Passage, Passage][] {
  return sentences.flatMap((second, at) => {
    const first = sentences
      .slice(0, at)
      .find((one) => turned.test(one.text) !== turned.test(second.text) && areAlike(one, second));
    return first === undefined ? [] : [[first, second] satisfies [Passage, Passage]];
  });
}

function looseConclusions(analyzed: AnalyzedMaterial): Passage[] {
  const stray = new Set(unrelatedSentences(analyzed));
  return analyzed.sentences.filter((one) => conclusion.test(one.text) && stray.has(one));
}

/** Lists the keys whose facts the answer uses. */
export const citedKeys: Rubric = (analyzed, bias) => {
  const used = [...factsUsed(analyzed, bias.strictness)].filter(() => bias.notices());
  const shown = used.map(([key, passage]) => withQuote(`${key}:`, passage)).slice(0, 3);
  return {
    reasoning: shown.length > 0 ? shown.join(" ") : "It would read the same without the profile.",
    cited_keys: used.map(([key]) => key),
  };
};

/** Lists the claims of the answer and their evidence. */
export const groundedClaims: Rubric = (analyzed, bias) => {
  const claims = claimsOf(analyzed, bias);
  const loose = claims.filter(({ source }) => source === "hallucinated").length;
  return {
    reasoning: `Of ${claims.length} claims nothing bears out ${loose}.`,
    claims: claims.map((claim): JsonObject => ({ ...claim })),
  };
};

/** A claim of the answer, as in judgments. */
interface Claim {
  text: string;
  source: "memory" | "query" | "general_knowledge" | "hallucinated";
  evidence: string;
}

/** Minimum share of words in common between claim and fact. */
const leastShared = 0.5;

const question = /\?["”)]?$/;
/** A reason for advice is a claim. */
const reason =
  /\b(?:since|because|given (?:that|your)|as (?:you|your)|with your|now that|considering)\b/i;
const advice =
  /^(?:\p{L}+, )?(?:please|try|keep|call|ask|tell|write|start|stop|rest|drink|eat|walk|sit|lie|avoid|don't|do|take|make|plan|let|go|see|speak|talk|choose|have|check|step|use|ring|bring|begin|put|consider|remember|stay|double|skip|forget)\b|\b(?:please|you (?:could|might|may|should|can|would|do best)|i(?:'d| would) (?:suggest|advise|start|leave|go|keep)|let's|it (?:is|may be) worth|another way)\b/iu;
const comfort =
  /\b(?:i'm (?:so |very )?(?:sorry|glad|happy)|i (?:hope|wish|understand|hear)|take care|good luck|all the best|makes sense|understandable|no wonder|thank you|you are not alone|congratulations|how (?:wonderful|lovely)|well done|i(?:'m| am) here|i(?:'ll| will)|welcome|to reassure you)\b/i;
const aboutPerson =
  /\b(?:you(?:'ve|'re)? (?:have|had|are|were|take|took|told|said|mentioned|live|lost|got|feel|suffer|smoke|drink|work|used|never|also|once|still)|your (?:[\p{L}-]+ ){1,4}(?:is|was|has|had|are|were|shows?|showed))\b|\b(?:since|because|given|with|as|there is) (?:you|your)\b/iu;
const invented =
  /\b(?:stud(?:y|ies)|researchers?|scientists?|percent|per cent|%|clinically proven|trial|experts (?:say|agree)|guaranteed)\b/i;
const denial =
  /\b(?:you (?:do not|don't|never|have no|have never|haven't|are not|aren't|were not)|your [\p{L} ]+ (?:is|are|was) not)\b/iu;
const quoted = /[“"„][^”"“]*[”"“]/gu;

/** The claims in the sentences with their evidence, as far as the judge notices them. */
function claimsOf(analyzed: AnalyzedMaterial, bias: JudgeBias): Claim[] {
  return analyzed.sentences.filter(isClaim).flatMap((sentence) => {
    if (!bias.notices()) return [];
    const evidence = quotable(sentence.text);
    return [{ text: sentence.text, source: sourceOf(sentence, analyzed), evidence }];
  });
}

/** Quoted words are not claims. */
function isClaim({ text, stems }: Passage): boolean {
  if (question.test(text) || stems.length === 0) return false;
  const own = text.replace(quoted, "");
  if (comfort.test(own)) return false;
  return reason.test(own) || !advice.test(own);
}

function sourceOf(
  { text, stems, all }: Passage,
  { facts, turns, query }: AnalyzedMaterial,
): Claim["source"] {
  const source = [...facts, ...turns].find(
    (fact) =>
      mentionedShare(fact, { all }) >= leastShared || shareIn(stems, fact.all) >= leastShared,
  );
  if (source !== undefined) {
    return denial.test(text) && !/\b(?:not|never|no)\b/i.test(source.text)
      ? "hallucinated"
      : "memory";
  }
  if (shareIn(stems, query.all) >= leastShared) return "query";
  return aboutPerson.test(text) || invented.test(text) ? "hallucinated" : "general_knowledge";
}
