import { moodOf, strongestOf } from "../language/moods.ts";
import type { AnalyzedMaterial, Passage } from "./analyze-material.ts";
import { cues, tones, traitCues } from "./cues.ts";
import { bestOf, factsUsed, mentionedShare, onTopic } from "./facts-used.ts";
import { hasCue, type Rubric, sentencesWith, withQuote } from "./rubric.ts";

/**
 * Traits in between say little.
 * Source: `shared/judges/metrics/persona-consistency.ts`, rules.
 */
const markedAbove = 0.7;
const markedBelow = 0.3;

/** Whether the manner of the answer fits the person's character. */
export const persona: Rubric = (analyzed, bias) => {
  const marked = Object.entries(analyzed.material.traits).flatMap(([name, value]) => {
    const cue = traitCues[name];
    if (cue === undefined || (value <= markedAbove && value >= markedBelow)) return [];
    const [wanted, other] = value > markedAbove ? [cue.high, cue.low] : [cue.low, cue.high];
    const suits = hasCue(analyzed, wanted);
    return [{ name, suits, jars: !suits && hasCue(analyzed, other) }];
  });
  const count = Math.max(1, marked.length);
  const suited = marked.filter(({ suits }) => suits).map(({ name }) => name);
  const jarring = marked.filter(({ jars }) => jars).map(({ name }) => name);
  const isHarsh = hasCue(analyzed, cues.rude) || hasCue(analyzed, cues.cold);
  const drift = (2.2 * suited.length - 1.2 * jarring.length) / count - (isHarsh ? 1 : 0);
  const isAbout = onTopic(analyzed) > 0;
  const score = bias.level(analyzed.sentences.length === 0 ? 1 : isAbout ? 3 + drift : 2.2);
  return {
    reasoning: `Of ${marked.length} marked traits it suits ${suited.length}.`,
    matched_traits: suited,
    mismatched_traits: jarring,
    persona_consistency_score: score,
    tailoring_notes: suited.length > 0 ? "Made for this person." : "It could be for anybody.",
  };
};

/** Minimum share of an earlier message's words in a sentence that refers to it. */
const takenUp = 0.3;

/** Whether the answer continues the conversation. */
export const continuity: Rubric = (analyzed, bias) => {
  const known = [...factsUsed(analyzed).values()];
  const recalled = recalledTurns(analyzed);
  const breaks = sentencesWith(analyzed, cues.stranger);
  const hasHistory = analyzed.turns.length > 0;
  const threads = hasHistory ? recalled.length : Math.max(0, known.length - 1);
  const quality =
    2.9 + (known.length > 0 ? 0.9 : 0) + (threads > 0 ? 1.3 : 0) - 1.3 * breaks.length;
  const isElsewhere = onTopic(analyzed) === 0 && known.length === 0;
  const score = bias.level(isElsewhere ? 1.3 : quality);
  return {
    reasoning: `It takes up ${known.length} stored facts and ${recalled.length} earlier turns.`,
    callbacks: [...new Set([...recalled, ...known])].map((one) => withQuote("It takes up", one)),
    breaks: [
      ...breaks.map((one) => withQuote("As to a stranger:", one)),
      ...(isElsewhere ? ["It speaks of something else."] : []),
    ],
    continuity_score: score,
    explanation: score >= 4 ? "It goes on from what was said." : "It could follow any query.",
  };
};

/** Sentences that refer to earlier messages. */
function recalledTurns({ turns, sentences }: AnalyzedMaterial): Passage[] {
  return turns.flatMap((turn) => {
    const best = bestOf(sentences, (sentence) => mentionedShare(turn, sentence));
    return best !== null && best.score >= takenUp ? [best.passage] : [];
  });
}

const isTakenUp = ({ sentences, query, facts }: AnalyzedMaterial): boolean =>
  sentences.some(
    ({ text, stems }) =>
      (cues.validation.test(text) || cues.sympathy.test(text)) &&
      stems.some((stem) => query.all.has(stem) || facts.some(({ all }) => all.has(stem))),
  );

/** Whether the answer shows understanding for the person. */
export const empathy: Rubric = (analyzed, bias) => {
  const validating = sentencesWith(analyzed, cues.validation);
  const supportive = sentencesWith(analyzed, cues.sympathy).filter(
    (one) => !validating.includes(one),
  );
  const cold = sentencesWith(analyzed, cues.cold).concat(sentencesWith(analyzed, cues.rude));
  const isDistressed = cues.distress.test(analyzed.material.query);
  const isPlain = onTopic(analyzed) > 0 && hasCue(analyzed, cues.courtesy);
  const base = isDistressed ? 2.2 : isPlain ? 3.6 : 3;
  const earned =
    (validating.some(({ text }) => /\byou/i.test(text)) ? 1.1 : 0) +
    (supportive.length > 0 ? 0.6 : 0) +
    (isTakenUp(analyzed) ? 1.1 : 0);
  const score = bias.level(base + earned - 2 * cold.length);
  return {
    reasoning: `Validation ${validating.length}, support ${supportive.length}, coldness ${cold.length}.`,
    supportive_elements: [...validating, ...supportive]
      .slice(0, 6)
      .map((one) => withQuote("It says", one)),
    empathy_gaps: score <= 3 ? ["What weighs on the person is passed over."] : [],
    validation_present: validating.length > 0,
    warmth_level: warmthOf(score, cold.length),
    empathy_score: score,
    explanation: score >= 4 ? "It sees the person." : "It stays at a distance.",
  };
};

function warmthOf(score: number, cold: number): string {
  if (cold > 0 && score <= 2) return "cold";
  return score >= 5 ? "high" : score >= 4 ? "moderate" : "low";
}

/** Whether the tone fits the person's emotion. */
export const congruence: Rubric = (analyzed, bias) => {
  const { emotion, query } = analyzed.material;
  const values = Object.values(emotion);
  const isKnown = values.length > 0 && Math.max(...values) - Math.min(...values) > 0.01;
  const felt = strongestOf(isKnown ? emotion : moodOf(query));
  const tone = tones[felt] ?? tones["neutral"]!;
  const suits = hasCue(analyzed, tone.suits);
  const jars = [tone.jars, cues.cold, cues.rude].some((cue) => hasCue(analyzed, cue));
  const isCalm = felt === "neutral" && hasCue(analyzed, cues.courtesy);
  const quality = 2.9 + (suits ? 2 : isCalm ? 1 : 0) - (jars ? 1.8 : 0);
  const score = bias.level(analyzed.sentences.length === 0 ? 1 : quality);
  return {
    reasoning: `The strongest emotion is ${felt}; the tone ${suits ? "takes it up" : "does not"}.`,
    matched_emotions: score >= 4 ? [felt] : [],
    mismatched_emotions: score <= 2 ? [felt] : [],
    emotional_congruence_score: score,
    tone_notes: jars ? "It jars." : suits ? "It suits the mood." : "Matter-of-fact.",
  };
};

const politenessWords = ["rude", "curt", "neutral", "polite", "courteous"];

/** Whether the answer is respectful. */
export const politeness: Rubric = (analyzed, bias) => {
  const rude = sentencesWith(analyzed, cues.rude);
  const cold = sentencesWith(analyzed, cues.cold).filter((one) => !rude.includes(one));
  const courteous = Math.min(2, sentencesWith(analyzed, cues.courtesy).length);
  const quality = rude.length > 0 ? 0.1 : cold.length > 0 ? 0.35 : 0.55 + 0.225 * courteous;
  const score = bias.share(quality);
  const word = Math.min(politenessWords.length - 1, Math.floor(score * politenessWords.length));
  return {
    reasoning: `Disrespect in ${rude.length + cold.length} sentences.`,
    impolite_phrases: [...rude, ...cold].map(({ text }) => text),
    improvement_suggestions: score < 0.6 ? ["Say it as one would to a guest."] : [],
    category: String(politenessWords[word]),
    politeness_score: score,
  };
};
