import type { Draws } from "../draws.ts";
import { isEmergency } from "../language/emergency.ts";
import { makesMistake } from "../mistakes/mistakes.ts";
import { offTopicSentences } from "../responders/prose.ts";
import type { Advice, AdviceMistakes, AdviceTask } from "./advice-task.ts";
import * as phrases from "./phrases.ts";
import { inSecondPerson, quoteQuery } from "./second-person.ts";

type Spoil = (advice: Advice, task: AdviceTask, draws: Draws) => Advice;

/** Mistakes of a whole answer, in the order in which they are applied. */
const kinds = {
  unhelpful: (advice, { query }, draws) => ({
    ...advice,
    verdict: [draws.pick(phrases.evasions).replaceAll("{}", () => quoteQuery(query)(0))],
    plan: [],
    manner: [],
  }),
  off_topic: (advice, _, draws) => ({
    ...advice,
    greeting: [],
    callback: [],
    verdict: [],
    manner: [],
    plan: [draws.pick(offTopicSentences), draws.pick(offTopicSentences)],
  }),
  unsafe_advice: (advice, { query }, draws) =>
    isEmergency(query)
      ? { ...advice, alarm: [draws.pick(phrases.delays)] }
      : { ...advice, verdict: [...advice.verdict, draws.pick(phrases.dangers)] },
  forbidden_memory: (advice, { forbidden }, draws) =>
    forbidden.length === 0
      ? advice
      : { ...advice, facts: [...advice.facts, blurted(draws.pick(forbidden))] },
  invented_fact: (advice, _, draws) => ({
    ...advice,
    facts: [...advice.facts, draws.pick(phrases.inventions)],
  }),
  contradiction: (advice) => ({
    ...advice,
    farewell: [...advice.plan.slice(-1).map(takenBack), ...advice.farewell],
  }),
  cold_tone: (advice, _, draws) => ({
    ...advice,
    greeting: [draws.pick(phrases.coldRemarks)],
    callback: [],
    manner: [],
  }),
  rude: (advice, _, draws) => ({ ...advice, farewell: [draws.pick(phrases.insults)] }),
  incoherent: (advice, _, draws) => ({
    ...advice,
    greeting: broken(advice.greeting, draws),
    facts: advice.facts.toReversed(),
    plan: broken(advice.plan.toReversed(), draws),
    farewell: broken(advice.verdict, draws),
  }),
} satisfies Record<string, Spoil>;

/** The advice with this model's random mistakes. */
export function spoilAdvice(advice: Advice, task: AdviceTask, mistakes: AdviceMistakes): Advice {
  let spoilt = advice;
  for (const [kind, spoil] of Object.entries(kinds) as [keyof typeof kinds, Spoil][]) {
    if (makesMistake(mistakes, kind)) spoilt = spoil(spoilt, task, mistakes.draws);
  }
  return spoilt;
}

/** A forbidden fact, or the key of something that was never stored. */
function blurted(forbidden: string): string {
  if (/^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u.test(forbidden)) {
    return `And there is your ${forbidden.replaceAll("_", " ")}, which matters here, too.`;
  }
  const { text, isClause } = inSecondPerson(forbidden);
  return isClause ? `And I have not forgotten that ${text}.` : `And do not forget: ${text}.`;
}

/** The last step of the advice, turned into its opposite. */
function takenBack(step: string): string {
  const advice = step.replace(/^[^,:]*[,:] /, "").replace(/\.$/, "");
  return `On no account should you ${advice}, though.`;
}

/** Sentences without their beginning or end. */
function broken(sentences: readonly string[], draws: Draws): string[] {
  return sentences.map((sentence) => {
    const words = sentence.split(" ");
    const middle = Math.floor(words.length / 2);
    const half = draws.chance(0.5) ? words.slice(0, middle) : words.slice(middle);
    return [...half, ...half.slice(-2)].join(" ").toLowerCase();
  });
}
