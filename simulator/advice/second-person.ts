import { sentencesOf } from "../language/stems.ts";

/** Verbs at the start of facts, and their second person. Verbs in the past tense stay as they are. */
const present: Readonly<Record<string, string>> = {
  takes: "take",
  has: "have",
  is: "are",
  was: "were",
  goes: "go",
  drinks: "drink",
  eats: "eat",
  smokes: "smoke",
  runs: "run",
  sees: "see",
  uses: "use",
  works: "work",
  drives: "drive",
  injects: "inject",
  carries: "carry",
  copes: "cope",
  weighs: "weigh",
  lives: "live",
  misses: "miss",
  owes: "owe",
  pays: "pay",
  suspects: "suspect",
  hopes: "hope",
  finds: "find",
  builds: "build",
  quarrels: "quarrel",
  breastfeeds: "breastfeed",
  does: "do",
  likes: "like",
  plays: "play",
  grows: "grow",
  sleeps: "sleep",
};

const past = new Set(
  `had came said wrote took tore sprained felt told gave fell got lost noted mentioned used went wet
  started agreed promised painted treated tested allergic invited`.split(/\s+/),
);

/** Words that may precede the verb. */
const adverbs = new Set(["often", "still", "once"]);

/** Participles and adjectives at the start of a fact, with the verb for the second person. */
const bare: Readonly<Record<string, string>> = {
  treated: "were treated",
  tested: "were tested",
  allergic: "are allergic",
  invited: "are invited",
};

/** A fact in the second person; `isClause`: it has a subject and can follow `since`. */
export interface SecondPerson {
  text: string;
  isClause: boolean;
}

/**
 * Converts a stored fact about a person to the second person.
 * @example inSecondPerson("Takes warfarin for her heart") // { text: "you take warfarin for your heart", isClause: true }
 */
export function inSecondPerson(fact: string): SecondPerson {
  const [first = "", ...others] = fact
    .trim()
    .replace(/[.!]+$/, "")
    .split(" ");
  const [adverb, word, rest] = adverbs.has(first.toLowerCase())
    ? [`${first.toLowerCase()} `, others[0] ?? "", others.slice(1)]
    : ["", first, others];
  const lower = word.toLowerCase();
  const verb = bare[lower] ?? present[lower] ?? (past.has(lower) ? lower : null);
  if (verb !== null) {
    return { text: `you ${adverb}${verb} ${turned(rest.join(" "))}`.trim(), isClause: true };
  }
  if (/^(?:her|his)$/i.test(first)) {
    return { text: `your ${turned(others.join(" "))}`, isClause: true };
  }
  return { text: turned([uncapitalised(first), ...others].join(" ")), isClause: false };
}

/** Lower-cases only words that often begin a sentence: names and initials keep their capitals. */
function uncapitalised(word: string): string {
  return /^(?:A|An|The|In|One|Slow|Last|New|There|Nobody|Heat|Counting|Nurse|Chronic|Enlarged)$/.test(
    word,
  )
    ? word.toLowerCase()
    : word;
}

const pronouns: Readonly<Record<string, string>> = {
  her: "your",
  his: "your",
  she: "you",
  he: "you",
  him: "you",
  herself: "yourself",
  himself: "yourself",
};

/** Where `her` is an object, not a possessive: before a particle, an adverb or the end. */
const asObject =
  /\bher\b(?=$|[,;.]| (?:up|down|that|to|off|in|out|at|from|with|and|for|on|once|about|so|very|too|when|if|crying|an)\b)/g;

function turned(text: string): string {
  const whole = text.replace(asObject, "you");
  return whole.replace(
    /\b(?:her|his|she|he|him|herself|himself)\b/g,
    (word) => pronouns[word] ?? word,
  );
}

/** Maximum words per quotation. */
const mostWords = 9;

/**
 * Quotes a query without final punctuation; each index gives another sentence.
 * @example quoteQuery("I did it! Shall I go on?")(1) // "Shall I go on"
 */
export function quoteQuery(query: string): (at: number) => string {
  const sentences = sentencesOf(query).map((sentence) =>
    sentence
      .replace(/["“”„«»]/gu, "")
      .split(/\s+/)
      .slice(0, mostWords)
      .join(" ")
      .replace(/[\s.,;:!?…-]+$/u, ""),
  );
  return (at) => sentences[at % Math.max(1, sentences.length)] ?? "this";
}
