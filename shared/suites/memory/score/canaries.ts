import type { Answer } from "../../../contracts/answer.ts";
import type { Canary, JudgeTask } from "../../../contracts/judging/judging.ts";
import { isEmptyAnswer } from "../../../judges/exchange.ts";
import { withManner } from "../../../judges/judge-manner.ts";
import { judges } from "../../../judges/judges.ts";
import { questionCanaries } from "../../../measures/judging/question-canaries.ts";
import { exchangeOf } from "../ask/exchange-of.ts";
import type { MemoryOptions } from "../options.ts";
import type { MemorySample } from "../sample.ts";

/**
 * Paragraphs of general advice that answers no question: our own writing, not medical advice.
 */
const longAdvice: readonly (readonly string[])[] = [
  [
    "Health is made of many small things, and most of them are within reach on an ordinary day. It helps to look at the whole picture before changing any part of it, since sleep, food, movement, company and rest all lean on one another. What follows are the things that are worth thinking about, whatever the reason for asking.",
    "Start with sleep. Going to bed and getting up at about the same time, weekends included, does more than any single trick. A bedroom that is cool, dark and quiet helps, and so does putting screens away a while before the light goes out. Heavy meals, alcohol and long naps late in the day make nights shorter than they look. Whoever lies awake for long may get up, do something dull in a dim light, and go back when sleep is near. A bad night now and then is nothing to be afraid of; worrying about it is often worse than the night itself.",
    "Then there is food. Regular meals with plenty of vegetables, fruit, whole grains, beans and nuts serve most people well, with fish, eggs, dairy or meat according to taste and conviction. It is easier to add something good than to forbid something bad: a handful of vegetables with every meal, a piece of fruit in the afternoon, a glass of water before each cup of coffee. Eating slowly and at a table makes it easier to notice when it is enough. No single food is a cure, and no single meal does harm; what counts is what is on the plate in most weeks of the year.",
    "Drinking enough matters, too, more so in hot weather, during sport and with a fever. Water is fine, unsweetened tea is fine, and thirst is a fair guide for most. Sweet drinks are better kept for special occasions. With alcohol less is better, and none is a perfectly good choice.",
    "Movement is the next piece. It need not be sport. Walking to the next stop, taking the stairs, carrying shopping, gardening, dancing in the kitchen: all of it counts, and the best exercise is the one that is done. A little every day beats a lot once a month. Strength, balance and suppleness deserve a few minutes each as well, and they can be trained with nothing more than a chair and a wall. Beginning gently, adding a little each week and stopping when something hurts sharply keeps the pleasure in it. Days of rest are a part of training and no weakness.",
    "The mind wants care like the body. Stress is no illness, yet a life without pauses wears people down. Short breaks in the course of the day, a walk outdoors, slow breathing, music, a talk with someone who listens, or a hobby that has no purpose at all can each make a difference. It helps to write down what goes round and round, to sort what can be changed from what cannot, and to take one small step at a time. Asking for help is a sign of good sense. Friends, family, neighbours and colleagues are often glad to be asked.",
    "Good company is a kind of medicine that nobody prescribes. A regular phone call, a shared meal, a club, a choir, a class or a bench in the park with the same faces on it gives the week a shape. Those who live alone may find that it takes a plan to see people, and that the plan is worth it.",
    "It is wise to know one's own numbers and dates: when the last check-up was, which vaccinations are due, what the dentist said, what runs in the family. A list of medicines with their doses, kept in the wallet or the telephone, saves time whenever it is asked for. Before an appointment it helps to note the two or three questions that matter most, and during it to write down the answers. If something remains unclear, asking again is always allowed. Taking somebody along can make it easier to remember what was said.",
    "Whatever is new, lasts unusually long, gets worse or causes worry belongs in the hands of a professional who can look, listen and examine. A general text like this one cannot replace that. Pharmacies give advice about what may be taken with what, and there are telephone lines for the hours in which everything else is closed. In an emergency the emergency number is the right one, and it is better to call once too often than once too late.",
    "Finally, patience. Habits take weeks to grow and months to feel natural, and everybody slips now and then. A slip is no failure; the next meal, the next walk and the next night are new chances. It helps to choose one thing, to make it small enough that it cannot fail, to tie it to something that happens anyway, and to be pleased with it. Then comes the next one. Step by step, and with a friendly eye on oneself, a good deal can be reached, and there is no hurry about any of it. All the very best on the way!",
  ],
  [
    "Good nights begin in the daytime. Daylight in the morning, movement at noon and a quiet hour in the evening set the inner clock better than any gadget. Most adults do well with seven to nine hours, and some need a little more or less; how the day feels is the better measure.",
    "A fixed time for getting up is the strongest habit there is. Bedtime follows from it by itself. If the bed is kept for sleeping, the body learns what it is for. Work, worries and bright screens can stay in another room.",
    "The evening may have a little ritual: a warm shower, a few pages of a book, a cup of herbal tea, quiet music, a window open for five minutes. It matters less what it is than that it is the same each night. Coffee and black tea are better drunk before the middle of the afternoon.",
    "When thoughts do not stop, a sheet of paper by the bed can take them until the morning. Breathing out slowly, longer than breathing in, tells the body that it may let go. And if it does not work tonight, it may work tomorrow: nobody has ever been able to force sleep, and there is no need to.",
    "Those who snore heavily, wake up gasping, or are tired all day for weeks had better talk to a doctor. The same holds for anyone who takes something in order to sleep and finds that it does less and less.",
  ],
  [
    "There is hardly anything that moving does not make a little better: mood, sleep, heart, bones, digestion and the way a staircase feels. And it is never too late to begin, nor is there a need to be good at it.",
    "A sensible start is ten minutes at a pace that leaves enough breath for talking. After a week it may be twelve, after a month twenty. Shoes that fit, clothes that nobody minds sweating in and a friend who comes along are all the equipment one needs.",
    "Muscles like variety. Pushing, pulling, squatting, carrying and standing on one leg are the basics of almost everything, and they fit between brushing teeth and breakfast. Two short sessions a week are plenty to begin with.",
    "Warming up is worth the time, and so is stretching afterwards if it feels good. Sore muscles on the next day are harmless; pain in a joint, dizziness or pressure on the chest are reasons to stop and to ask somebody who knows.",
    "On days without any drive a smaller version will do: once round the block instead of once round the lake. What counts is that the thread does not break. And sometimes a day on the sofa is exactly the right training.",
  ],
];

/** The longest of the long texts. */
const longest = longAdvice
  .map((paragraphs) => paragraphs.join("\n\n"))
  .reduce((a, b) => (b.length > a.length ? b : a));

const { constant, empty, vague, injection } = questionCanaries<MemorySample>({
  constant: 0.6,
  vague: 0.6,
});

/**
 * Worthless answers that should score low, to test a deployment's judges. The same samples always get the same
 * answers.
 * Source: judge-gaming canaries are ours, not the source's.
 * @example canaries[0]?.answers([sample]).length // 1
 */
export const canaries: readonly Canary<MemorySample>[] = [
  constant,
  empty,
  vague,
  {
    id: "longest",
    label: "Longest answer",
    bound: null,
    description: "Several thousand characters of health advice that suits everybody.",
    answers: (samples) => samples.map(() => longest),
  },
  injection,
];

/**
 * The judges to ask about an answer: all, or none if the request failed or the answer is empty, because its values
 * are fixed.
 * Source: docs/spec/memory.md, judges.
 * @example judgeTasks(sample, { ...emptyAnswer, output: "Hi." }, options).length // 12
 */
export function judgeTasks(
  sample: MemorySample,
  answer: Answer,
  options: MemoryOptions,
): JudgeTask[] {
  const material = exchangeOf(sample, answer, options);
  if (answer.error !== null || isEmptyAnswer(material.answer)) return [];
  return judges.map((judge) => ({ name: judge.id, judge: withManner(judge, options), material }));
}
