import { isEmergency } from "../language/emergency.ts";
import { strongestOf } from "../language/moods.ts";
import { sentencesOf } from "../language/stems.ts";
import { makesMistake } from "../mistakes/mistakes.ts";
import type { Advice, AdviceMistakes, AdviceTask } from "./advice-task.ts";
import * as phrases from "./phrases.ts";
import { inSecondPerson, quoteQuery } from "./second-person.ts";
import { spoilAdvice } from "./spoil-advice.ts";

const askedToTake =
  /\b(?:take|took|tablets?|pills?|dose|ointment|spray|medicine|vitamins?|supplements?|give him|creatine|wort|extract|salt|potassium)\b/i;

/**
 * Advice as a model of the given error rates would write it: acknowledges the emotion and earlier messages, uses the
 * required facts, and says what to do. Its mistakes are added to `mistakes.made`.
 */
export function writeAdvice(task: AdviceTask, mistakes: AdviceMistakes): string {
  const advice = compose(task, mistakes);
  const spoilt = spoilAdvice(advice, task, mistakes);
  const paragraphs = [
    [...spoilt.greeting, ...spoilt.callback],
    [...spoilt.alarm, ...spoilt.facts, ...spoilt.verdict],
    [...spoilt.plan, ...spoilt.manner],
    spoilt.farewell,
  ];
  const filled = paragraphs.filter((sentences) => sentences.length > 0);
  return filled.map((sentences) => sentences.join(" ")).join("\n\n");
}

function compose(task: AdviceTask, mistakes: AdviceMistakes): Advice {
  const { query, required, turns, emotion, traits } = task;
  const { draws } = mistakes;
  const about = quoteQuery(query);
  const say = (templates: readonly string[], at = 0) =>
    draws.pick(templates).replaceAll("{}", () => about(at));
  const kind = askedToTake.test(query) ? "take" : "act";
  const isUrgent = isEmergency(query);
  const remembered = required.filter(() => !makesMistake(mistakes, "forgotten_memory"));
  return {
    greeting: [say(phrases.acknowledgements[strongestOf(emotion)] ?? [])].filter(Boolean),
    callback: turns.slice(-1).map(calledBack),
    alarm: isUrgent ? [say(phrases.alarms)] : [],
    facts: factSentences(remembered, phrases.consequences[kind], draws.index(3)),
    verdict: isUrgent ? [] : [say(phrases.verdicts[kind], 1)],
    plan: isUrgent ? [] : planOf(traits, (templates, at) => say(templates, at)),
    manner: isUrgent ? [] : mannersFor(traits),
    farewell: [say(phrases.farewells)],
  };
}

const calledBack = (turn: string): string => {
  const longest = sentencesOf(turn).toSorted((a, b) => b.length - a.length)[0] ?? turn;
  const words = longest.replace(/[.!?…]+$/u, "");
  return `You told me before: ${words}, and I carry on from there.`;
};

/** Each with a different consequence, while there are any. */
function factSentences(
  facts: readonly string[],
  consequences: readonly string[],
  from: number,
): string[] {
  return facts.map((fact, at) => {
    const { text, isClause } = inSecondPerson(fact);
    const consequence = consequences[(from + at) % consequences.length];
    return isClause
      ? `Since ${text}, ${consequence}.`
      : `I keep in mind: ${text}; so ${consequence}.`;
  });
}

function planOf(
  traits: AdviceTask["traits"],
  say: (templates: readonly string[], at: number) => string,
): string[] {
  const isOrderly = (traits["conscientiousness"] ?? 0.5) > markedAbove;
  const ties = isOrderly
    ? ["Step one:", "Step two:", "Step three:"]
    : ["First,", "Then,", "Finally,"];
  const lines = phrases.steps.map((templates, at) => `${ties[at]} ${say(templates, at + 1)}.`);
  return isOrderly ? [String(phrases.forTraits["conscientiousness"]?.high), ...lines] : lines;
}

/**
 * Traits in between say little.
 * Source: `shared/judges/metrics/persona-consistency.ts`.
 */
const markedAbove = 0.7;
const markedBelow = 0.3;

function mannersFor(traits: AdviceTask["traits"]): string[] {
  return Object.entries(phrases.forTraits).flatMap(([name, { high, low }]) => {
    const value = traits[name] ?? 0.5;
    if (value > markedAbove) return name === "conscientiousness" ? [] : [high];
    return value < markedBelow ? [low] : [];
  });
}
