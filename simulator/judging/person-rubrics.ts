import { cues, traitCues } from "./cues.ts";
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
