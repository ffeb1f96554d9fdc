import { stemmer } from "stemmer";

/** Function words, and words that occur in any advice. */
const plain = new Set(
  `a about above after again ago all almost along already also although always am among an and another any
  anything are around as ask at away back be because been before being best better between both but by
  call came can can't come could day days did do does doesn't doing don't done down during each either
  else enough even evening every everything few first for from further get gets give go goes going good
  got had has have having he help her here hers herself him himself his how however i i'd i'll i'm i've
  if in into is isn't it it's its itself just keep kind know last later least less let let's like little
  long look made make makes many may me mean might month more morning most much must my myself need needs
  never new next night no nobody nor not nothing now of off often old on once one only onto or other our
  out over own part people per person please put quite rather really right said same say says see shall
  she should so some someone something soon still such sure take takes taking tell than thank thanks that
  that's the their them then there there's these they thing things think this those though through time
  to today told tomorrow too took towards two under until up upon us used usual very want was way we week
  weeks well went were what what's when where whether which while who whom whose why will with within
  without won't would year years yes yesterday yet you you're you've your yours yourself`.split(
    /\s+/,
  ),
);

/** Bounds the cache of stems, because texts come from anywhere. */
const mostKnown = 20_000;
const known = new Map<string, string | null>();

/**
 * Stems (Porter, 1980) of a text's content words, without duplicates, in order; numbers are unchanged. Linear.
 * @example stemsOf("She takes warfarin every evening.") // ["warfarin"]
 */
export function stemsOf(text: string): string[] {
  const stems = new Set<string>();
  const words = text.toLowerCase().replaceAll("’", "'");
  for (const word of words.match(/\d+(?:[.,]\d+)?|[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? []) {
    const stem = stemOf(word);
    if (stem !== null) stems.add(stem);
  }
  return [...stems];
}

/** Null for words without meaning of their own. */
function stemOf(word: string): string | null {
  const found = known.get(word);
  if (found !== undefined) return found;
  const bare = word.replace(/'s$/, "");
  const stem = plain.has(word) || plain.has(bare) || /^\p{L}$/u.test(bare) ? null : stemmer(bare);
  if (known.size >= mostKnown) known.clear();
  known.set(word, stem);
  return stem;
}

/**
 * The share of `stems` that `others` contains, 0–1; 0 if empty.
 * @example shareIn(["warfarin", "atrial"], new Set(["warfarin"])) // 0.5
 */
export function shareIn(stems: readonly string[], others: ReadonlySet<string>): number {
  if (stems.length === 0) return 0;
  return stems.filter((stem) => others.has(stem)).length / stems.length;
}

/** Longer texts are truncated. */
const maxLength = 40_000;

/**
 * The unchanged sentences of a text: split at line ends, full stops, question and exclamation marks. Linear.
 * @example sentencesOf("Rest. Then, at 8 p.m., walk!") // ["Rest.", "Then, at 8 p.m., walk!"]
 */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, maxLength)
    .split(/\n+|(?<=[.!?…]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\p{N}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** Length of a quotation in words: enough to find it. */
const quotedWords = 14;

/**
 * The beginning of a sentence up to the first quotation mark, so that it can be quoted.
 * @example quotable('You said "rest" to me.') // "You said"
 */
export function quotable(sentence: string): string {
  const pieces = sentence.split(/["“”„«»]/u).map((piece) => piece.trim());
  const piece = pieces.find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
  return piece.split(/\s+/).slice(0, quotedWords).join(" ");
}
