import type { JsonObject } from "../../shared/contracts/json.ts";
import type { Draws } from "../draws.ts";
import { textGarbleKinds } from "../mistakes/garble.ts";
import { type Mistakes, makesMistake } from "../mistakes/mistakes.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { type Claim, completeAnswer, textKey } from "./responder.ts";

/**
 * Answers any request in prose about its topic, with the model's mistakes. Known prompts (with system messages) give
 * the sample's id.
 */
export function proseResponder(rows: readonly JsonObject[]): { claim(request: ParsedChat): Claim } {
  const ids = new Map(rows.flatMap(readPrompt));
  return {
    claim(request) {
      const key = requestKey(request);
      return {
        key,
        id: ids.get(key) ?? null,
        answer: (context) =>
          completeAnswer(context, textGarbleKinds, (made) =>
            writeProse(request.userText, { ...context, made }),
          ),
      };
    },
  };
}

function readPrompt({ id, prompt, system }: JsonObject): [string, string][] {
  if (typeof id !== "string" || typeof prompt !== "string") return [];
  const user = { role: "user", text: prompt };
  const isSystem = typeof system === "string" && system !== "";
  const messages = isSystem ? [{ role: "system", text: system }, user] : [user];
  return [[requestKey({ messages }), id]];
}

/** Key of a request about no known sample: a hash of its messages. */
export function requestKey({ messages }: Pick<ParsedChat, "messages">): string {
  return textKey(messages.map(({ role, text }) => `${role}\n${text}`).join("\n\n"));
}

/** Words of the answer per word of the prompt. */
const wordsPerWord = 2.5;

/** Mean words of a template, and of opening and conclusion together. */
const wordsOfTemplate = 5.5;
const wordsAround = 13;

const wordsPerParagraph = 100;

/** Longer prompts are truncated. */
const maxPromptLength = 2_000;

/** Minimum share that a short answer keeps. */
const leastKept = 0.3;
const mostKept = 0.6;

type ProseMistakes = Pick<Mistakes, "rates" | "draws" | "made">;

/** A template and its topic. */
type Sentence = Template & { about: string };

/**
 * Prose about a prompt as a model of the given error rates would write it: an opening, sentences about phrases of the
 * prompt, and a conclusion, about two and a half times as long as the prompt. Its mistakes are added to
 * `mistakes.made`.
 */
export function writeProse(prompt: string, mistakes: ProseMistakes): string {
  const planned = planSentences(prompt.slice(0, maxPromptLength), mistakes.draws);
  const isStructured = !makesMistake(mistakes, "unstructured");
  const sentences = isStructured ? planned.map(written) : [unplannedOpening, ...untied(planned)];
  const strayed = sentences.map((one, at) => stray(one, sentences[at - 1], mistakes));
  const kept = makesMistake(mistakes, "short_answer")
    ? beginning(strayed, mistakes.draws)
    : strayed;
  return isStructured ? inParagraphs(kept) : kept.join(" ");
}

/** Opening, body and conclusion; all phrases of the prompt are distributed over them. */
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

/** Only the body, without connectives. */
const untied = (sentences: readonly Sentence[]): string[] =>
  sentences.slice(1, -1).map((one) => written({ ...one, tie: "" }));

/** The sentence, or one that is off topic or repeated, by chance. */
function stray(sentence: string, previous: string | undefined, mistakes: ProseMistakes): string {
  if (makesMistake(mistakes, "off_topic")) return mistakes.draws.pick(offTopicSentences);
  return previous !== undefined && makesMistake(mistakes, "repeated_sentence")
    ? previous
    : sentence;
}

function beginning(sentences: readonly string[], draws: Draws): string[] {
  const share = leastKept + (mostKept - leastKept) * draws.unit();
  return sentences.slice(0, Math.max(1, Math.floor(sentences.length * share)));
}

/** One paragraph per hundred words, with equal numbers of sentences. */
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

/** A sentence in two parts, with `{}` for its topic. */
interface Template {
  /** Connects the sentence to earlier ones; optional. */
  tie: string;
  /** Without capital and full stop. */
  rest: string;
}

/** First sentences. */
const openings: readonly string[] = [
  "any useful answer begins with {}",
  "the heart of the matter lies in {}",
  "much of the question turns on {}",
  "a fair treatment has to start from {}",
];

/** Last sentences. */
const conclusions: readonly Template[] = [
  { tie: "overall,", rest: "{} deserves the closest attention" },
  { tie: "in summary,", rest: "a thoughtful balance around {} settles the matter" },
  { tie: "ultimately,", rest: "sound judgement about {} makes the difference" },
];

/** Sentences of the body. No content word occurs in two of them. */
const bodies: readonly Template[] = [
  { tie: "first,", rest: "careful observers would examine {} thoroughly" },
  { tie: "moreover,", rest: "practical experience repeatedly confirms {}" },
  { tie: "however,", rest: "circumstances vary considerably for {}" },
  { tie: "for example,", rest: "ordinary situations frequently illustrate {}" },
  { tie: "consequently,", rest: "noticeable contrasts emerge around {}" },
  { tie: "in addition,", rest: "specialists usually emphasise {}" },
  { tie: "because resources remain limited,", rest: "sensible priorities reflect {}" },
  { tie: "meanwhile,", rest: "beginners commonly underestimate {}" },
  { tie: "similarly,", rest: "reliable measurements support {}" },
  { tie: "although opinions diverge,", rest: "prevailing consensus favours {}" },
  { tie: "on the other hand,", rest: "sceptical voices rightly scrutinise {}" },
  { tie: "next,", rest: "adequate preparation involves {}" },
  { tie: "nevertheless,", rest: "occasional exceptions accompany {}" },
  { tie: "since conditions fluctuate,", rest: "patient adjustment benefits {}" },
];

/** For models that lose the thread. */
export const offTopicSentences: readonly string[] = [
  "Old harbour towns often keep a small museum of ropes and lanterns.",
  "My cousin once painted a whole kitchen in a single afternoon.",
  "Chess clubs like to meet on Thursday evenings.",
  "Some people put cinnamon on nearly everything.",
  "The best seats at a theatre are rarely the most expensive.",
  "Marching bands rehearse in all sorts of car parks.",
];

/** Opening of an answer without structure. */
export const unplannedOpening = "Okay, so.";

/** Function words, and verbs that only state a task: no phrase contains them. */
const plain = new Set(
  `a about above after all also although am among an and any are around as at be because been before
  being below between both but by can could did do does doing done down during each either else ever
  every few for from further give had has have having he her here hers him his how however i i'm i've
  i'd i'll if in into is it it's its itself just let less may me might more most much must my neither
  no nor not now of off on once only onto or other our ours out over own per please quite rather same
  shall she should since so some such than that that's the their theirs them then there these they
  this those though through thus to too toward under until up upon us very was we were what when where
  whether which while who whom whose why will with within without would yes yet you your yours
  explain describe compare analyze analyse list summarize summarise define discuss evaluate outline
  write create provide show identify suggest recommend calculate translate`.split(/\s+/),
);

/** Longer sequences of words are split into two phrases. */
const maxWords = 3;

/** Longer sequences of letters are not repeated. */
const maxLetters = 40;

/**
 * Topics of a text: its content words, each with its direct neighbours, in order and without duplicates. Linear.
 * @example contentPhrases("Explain how plants turn sunlight into sugar.") // ["plants turn sunlight", "sugar"]
 */
export function contentPhrases(text: string): string[] {
  const phrases = new Set<string>();
  for (const clause of text.replaceAll("’", "'").split(/[^\p{L}\p{N}_'\s-]+|\s-+\s/u)) {
    let run: string[] = [];
    const close = () => {
      if (run.length > 0) phrases.add(run.join(" "));
      run = [];
    };
    for (const word of clause.match(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu) ?? []) {
      const isContent = !plain.has(word.toLowerCase()) && word.length <= maxLetters;
      if (!isContent || run.length === maxWords) close();
      if (isContent) run.push(word);
    }
    close();
  }
  return [...phrases];
}
