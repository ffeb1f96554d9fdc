import { contentPhrases } from "./content-phrases.ts";
import type { Draws } from "./draws.ts";
import { type Slips, slip } from "./mistakes/slips.ts";
import {
  bodies,
  conclusions,
  digressions,
  nonOpening,
  openings,
  type Template,
} from "./prose-templates.ts";

/** Words there are to be for each of the prompt. */
const wordsPerWord = 2.5;

/** Of a template between opening and conclusion, on average, and of these two together. */
const wordsOfTemplate = 5.5;
const wordsAround = 13;

const wordsPerParagraph = 100;

/** Longer prompts are answered as if they ended here. */
const maxPromptLength = 2_000;

/** Of what a short answer keeps. */
const leastKept = 0.3;
const mostKept = 0.6;

type ProseSlips = Pick<Slips, "rates" | "draws" | "made">;

/** A template and what its sentence is about. */
type Sentence = Template & { about: string };

/**
 * Prose about a prompt as a model of the given error rates would write it: an opening, sentences that
 * take up what the prompt names, and a conclusion, about two and a half times as long as the prompt. What
 * it got wrong is added to `slips.made`.
 */
export function writeProse(prompt: string, slips: ProseSlips): string {
  const planned = planSentences(prompt.slice(0, maxPromptLength), slips.draws);
  const isStructured = !slip(slips, "unstructured");
  const sentences = isStructured ? planned.map(written) : [nonOpening, ...untied(planned)];
  const strayed = sentences.map((one, at) => stray(one, sentences[at - 1], slips));
  const kept = slip(slips, "short_answer") ? beginning(strayed, slips.draws) : strayed;
  return isStructured ? inParagraphs(kept) : kept.join(" ");
}

/** Opening, body and conclusion, among which all phrases of the prompt are dealt out. */
function planSentences(prompt: string, draws: Draws): Sentence[] {
  const phrases = contentPhrases(prompt);
  const wanted = wordsPerWord * countWords(prompt) - wordsAround - countWords(phrases.join(" "));
  const bodyCount = Math.max(1, Math.round(wanted / wordsOfTemplate));
  const shuffled = shuffle(bodies, draws);
  const templates = [
    { tie: "", rest: draws.pick(openings) },
    ...Array.from({ length: bodyCount }, (_, at) => shuffled[at % shuffled.length] as Template),
    draws.pick(conclusions),
  ];
  return templates.map((template, at) => {
    const start = (place: number) => Math.round((place * phrases.length) / templates.length);
    const own = phrases.slice(start(at), start(at + 1));
    const about =
      own.length > 0 ? own : phrases.slice(at % Math.max(1, phrases.length)).slice(0, 1);
    return { ...template, about: enumerate(about) };
  });
}

function enumerate(phrases: readonly string[]): string {
  const last = phrases.at(-1) ?? "the question";
  return phrases.length > 1 ? `${phrases.slice(0, -1).join(", ")} and ${last}` : last;
}

function written({ tie, rest, about }: Sentence): string {
  const text = `${tie} ${rest.replace("{}", () => about)}.`.trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The body alone, its sentences side by side. */
const untied = (sentences: readonly Sentence[]): string[] =>
  sentences.slice(1, -1).map((one) => written({ ...one, tie: "" }));

/** A sentence, or what a model says that loses the thread there. */
function stray(sentence: string, previous: string | undefined, slips: ProseSlips): string {
  if (slip(slips, "off_topic")) return slips.draws.pick(digressions);
  return previous !== undefined && slip(slips, "repeated_sentence") ? previous : sentence;
}

function beginning(sentences: readonly string[], draws: Draws): string[] {
  const share = leastKept + (mostKept - leastKept) * draws.unit();
  return sentences.slice(0, Math.max(1, Math.floor(sentences.length * share)));
}

/** A paragraph for each hundred words, of as many sentences as the others. */
function inParagraphs(sentences: readonly string[]): string {
  const count = Math.ceil(countWords(sentences.join(" ")) / wordsPerParagraph);
  const size = Math.ceil(sentences.length / count);
  const starts = Array.from({ length: Math.ceil(sentences.length / size) }, (_, i) => i * size);
  return starts.map((start) => sentences.slice(start, start + size).join(" ")).join("\n\n");
}

const countWords = (text: string): number => text.match(/[\p{L}\p{N}_']+/gu)?.length ?? 0;

function shuffle<T>(items: readonly T[], draws: Draws): T[] {
  const left = [...items];
  return items.map(() => left.splice(draws.index(left.length), 1)[0] as T);
}
