import { moodOf, strongestOf } from "../language/moods.ts";
import { cues, tones, traitCues } from "./cues.ts";
import { bestOf, factsUsed, onTopic, toldOf } from "./facts-used.ts";
import { quoting, type Rubric, shows, withCue } from "./rubric.ts";
import type { Passage, View } from "./view.ts";

/** Traits between say little. Source: `shared/judges/metrics/persona-consistency.ts`, rules. */
const markedAbove = 0.7;
const markedBelow = 0.3;

/** Whether the manner of the answer suits the person's character. */
export const persona: Rubric = (view, leaning) => {
  const marked = Object.entries(view.material.traits).flatMap(([name, value]) => {
    const cue = traitCues[name];
    if (cue === undefined || (value <= markedAbove && value >= markedBelow)) return [];
    const [wanted, other] = value > markedAbove ? [cue.high, cue.low] : [cue.low, cue.high];
    const suits = shows(view, wanted);
    return [{ name, suits, jars: !suits && shows(view, other) }];
  });
  const count = Math.max(1, marked.length);
  const suited = marked.filter(({ suits }) => suits).map(({ name }) => name);
  const jarring = marked.filter(({ jars }) => jars).map(({ name }) => name);
  const isHarsh = shows(view, cues.rude) || shows(view, cues.cold);
  const drift = (2.2 * suited.length - 1.2 * jarring.length) / count - (isHarsh ? 1 : 0);
  const isAbout = onTopic(view) > 0;
  const score = leaning.level(view.sentences.length === 0 ? 1 : isAbout ? 3 + drift : 2.2);
  return {
    reasoning: `Of ${marked.length} marked traits it suits ${suited.length}.`,
    matched_traits: suited,
    mismatched_traits: jarring,
    persona_consistency_score: score,
    tailoring_notes: suited.length > 0 ? "Made for this person." : "It could be for anybody.",
  };
};

/** Share of what was said before that a sentence must have to take it up. */
const takenUp = 0.3;

/** Whether the answer carries on as one conversation. */
export const continuity: Rubric = (view, leaning) => {
  const known = [...factsUsed(view).values()];
  const recalled = recalledTurns(view);
  const breaks = withCue(view, cues.stranger);
  const hasHistory = view.turns.length > 0;
  const threads = hasHistory ? recalled.length : Math.max(0, known.length - 1);
  const quality =
    2.9 + (known.length > 0 ? 0.9 : 0) + (threads > 0 ? 1.3 : 0) - 1.3 * breaks.length;
  const isElsewhere = onTopic(view) === 0 && known.length === 0;
  const score = leaning.level(isElsewhere ? 1.3 : quality);
  return {
    reasoning: `It takes up ${known.length} stored facts and ${recalled.length} earlier turns.`,
    callbacks: [...new Set([...recalled, ...known])].map((one) => quoting("It takes up", one)),
    breaks: [
      ...breaks.map((one) => quoting("As to a stranger:", one)),
      ...(isElsewhere ? ["It speaks of something else."] : []),
    ],
    continuity_score: score,
    explanation: score >= 4 ? "It goes on from what was said." : "It could follow any query.",
  };
};

/** The sentences that take up turns of the conversation. */
function recalledTurns({ turns, sentences }: View): Passage[] {
  return turns.flatMap((turn) => {
    const best = bestOf(sentences, (sentence) => toldOf(turn, sentence));
    return best !== null && best.score >= takenUp ? [best.passage] : [];
  });
}

const isTakenUp = ({ sentences, query, facts }: View): boolean =>
  sentences.some(
    ({ text, stems }) =>
      (cues.validation.test(text) || cues.sympathy.test(text)) &&
      stems.some((stem) => query.all.has(stem) || facts.some(({ all }) => all.has(stem))),
  );

/** Whether the answer meets the person with understanding. */
export const empathy: Rubric = (view, leaning) => {
  const validating = withCue(view, cues.validation);
  const supportive = withCue(view, cues.sympathy).filter((one) => !validating.includes(one));
  const cold = withCue(view, cues.cold).concat(withCue(view, cues.rude));
  const isDistressed = cues.distress.test(view.material.query);
  const isPlain = onTopic(view) > 0 && shows(view, cues.courtesy);
  const base = isDistressed ? 2.2 : isPlain ? 3.6 : 3;
  const earned =
    (validating.some(({ text }) => /\byou/i.test(text)) ? 1.1 : 0) +
    (supportive.length > 0 ? 0.6 : 0) +
    (isTakenUp(view) ? 1.1 : 0);
  const score = leaning.level(base + earned - 2 * cold.length);
  return {
    reasoning: `Validation ${validating.length}, support ${supportive.length}, coldness ${cold.length}.`,
    supportive_elements: [...validating, ...supportive]
      .slice(0, 6)
      .map((one) => quoting("It says", one)),
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

/** Whether the tone suits what the person feels. */
export const congruence: Rubric = (view, leaning) => {
  const { emotion, query } = view.material;
  const values = Object.values(emotion);
  const isKnown = values.length > 0 && Math.max(...values) - Math.min(...values) > 0.01;
  const felt = strongestOf(isKnown ? emotion : moodOf(query));
  const tone = tones[felt] ?? tones["neutral"]!;
  const suits = shows(view, tone.suits);
  const jars = shows(view, tone.jars) || shows(view, cues.cold) || shows(view, cues.rude);
  const isCalm = felt === "neutral" && shows(view, cues.courtesy);
  const quality = 2.9 + (suits ? 2 : isCalm ? 1 : 0) - (jars ? 1.8 : 0);
  const score = leaning.level(view.sentences.length === 0 ? 1 : quality);
  return {
    reasoning: `The strongest emotion is ${felt}; the tone ${suits ? "takes it up" : "does not"}.`,
    matched_emotions: score >= 4 ? [felt] : [],
    mismatched_emotions: score <= 2 ? [felt] : [],
    emotional_congruence_score: score,
    tone_notes: jars ? "It jars." : suits ? "It suits the mood." : "Matter-of-fact.",
  };
};

const politenessWords = ["rude", "curt", "neutral", "polite", "courteous"];

/** Whether the answer treats the person with respect. */
export const politeness: Rubric = (view, leaning) => {
  const rude = withCue(view, cues.rude);
  const cold = withCue(view, cues.cold).filter((one) => !rude.includes(one));
  const courteous = Math.min(2, withCue(view, cues.courtesy).length);
  const quality = rude.length > 0 ? 0.1 : cold.length > 0 ? 0.35 : 0.55 + 0.225 * courteous;
  const score = leaning.share(quality);
  const word = Math.min(politenessWords.length - 1, Math.floor(score * politenessWords.length));
  return {
    reasoning: `Disrespect in ${rude.length + cold.length} sentences.`,
    impolite_phrases: [...rude, ...cold].map(({ text }) => text),
    improvement_suggestions: score < 0.6 ? ["Say it as one would to a guest."] : [],
    category: String(politenessWords[word]),
    politeness_score: score,
  };
};
