/** A tag or token that opens or closes thoughts, or marks the answer. */
export interface Delimiter {
  /** A closing delimiter belongs to an opening one of the same family. */
  family: string;
  role: "open" | "close";
  of: "thoughts" | "answer";
  /** Index of the first character, and the index after the last. */
  start: number;
  end: number;
  /** `<think/>`: opens and closes. */
  isEmpty: boolean;
}

const pattern =
  /<\/?(think|thinking|reasoning|thought|answer|response)(?:[ \t][^<>\n]{0,200})?\/?>|\[(\/?)THINK\]|◁\/?think▷|<\|(START|END)_(THINKING|RESPONSE)\|>/giu;

const answers = new Set(["answer", "response", "RESPONSE"]);

/**
 * Every delimiter of thoughts and answers in `text`, in order, except those in a pair of quotes, backticks or
 * similar, which are text, and links such as `[think](…)`. Linear.
 * Source: docs/spec/extraction.md, section 1, thoughts.
 * @example delimitersIn("<think>Hm.</think>4").length // 2
 */
export function delimitersIn(text: string): Delimiter[] {
  return [...text.matchAll(pattern)].flatMap((found) => {
    const [tag, name, mistral, edge, token] = found;
    const [start, end] = [found.index, found.index + tag.length];
    if (mistral !== undefined && tag !== tag.toUpperCase()) return [];
    if (quotePairs[text.charAt(start - 1)] === text.charAt(end)) return [];
    const family =
      name?.toLowerCase() ?? (mistral === undefined ? (token ?? "kimi").toUpperCase() : "mistral");
    const isClosing = tag[1] === "/" || edge?.toUpperCase() === "END";
    return {
      family,
      role: isClosing ? "close" : "open",
      of: answers.has(family) ? "answer" : "thoughts",
      start,
      end,
      isEmpty: !isClosing && tag.endsWith("/>"),
    };
  });
}

const quotePairs: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "«": "»",
  "(": ")",
  "*": "*",
};

/** The end of a block, as indices of its closing delimiter; null if nothing closes it. */
export interface BlockEnd {
  /** The next closing delimiter of the family. */
  first: number | null;
  /** The one that closes it if nested blocks are counted; if they are unbalanced, the nearest to it. */
  outer: number | null;
}

/**
 * The ends of each opening delimiter, by its index. Linear, even for nested and unclosed blocks.
 * @example blockEnds(delimitersIn("<think>a<think>b</think>c</think>"))[0] // { first: 2, outer: 3 }
 */
export function blockEnds(list: readonly Delimiter[]): BlockEnd[] {
  const ends: BlockEnd[] = list.map(() => ({ first: null, outer: null }));
  const open = new Map<string, number[]>();
  const depths = list.map(({ family, role, isEmpty }, i) => {
    const its = open.get(family) ?? [];
    open.set(family, its);
    if (isEmpty) return 0;
    if (role === "open") return its.push(i);
    const opened = its.pop();
    if (opened !== undefined) ends[opened]!.outer = i;
    return its.length;
  });
  // Backwards: finds the next closing delimiter, and the first of those that leave the fewest blocks open.
  const next = new Map<string, { first: number; least: number }>();
  for (let i = list.length - 1; i >= 0; i--) {
    const { family, role } = list[i]!;
    const behind = next.get(family);
    if (role === "close") {
      const isLeast = behind === undefined || depths[i]! <= depths[behind.least]!;
      next.set(family, { first: i, least: isLeast ? i : behind.least });
      continue;
    }
    ends[i]!.first = behind?.first ?? null;
    ends[i]!.outer ??= behind?.least ?? null;
  }
  return ends;
}

/** The text directly around a delimiter. */
export interface Surroundings {
  /** Alone at the start of its line, after at most three blanks. */
  isLineStart: boolean;
  /** At the start of its line after more blanks, like indented code. */
  isIndented: boolean;
  /** The text before begins a sentence or a list item, or ended a sentence. */
  isBehindSentence: boolean;
  /** Only the marker of a list item is before it in its line. */
  isListItem: boolean;
  /** A quotation mark or a bracket opens directly before it. */
  isQuoted: boolean;
  /** Written like a word of the sentence: after a blank, in the middle of a line and of a sentence. */
  isWord: boolean;
  /** A colon or comma is before it. */
  isIntroduced: boolean;
  /** The text after it continues a sentence: a lower-case word, or a punctuation mark. */
  runsOn: boolean;
  /** `runsOn`, or text that may also begin a sentence, such as a dash. */
  mayRunOn: boolean;
  /** Only blanks follow in its line. */
  isLineEnd: boolean;
  /** More text follows in its line, after a blank. */
  isPadded: boolean;
  /** A word, number or JSON begins directly after it. */
  opensWord: boolean;
  /** A lower-case word follows in its line, after a blank. */
  isBeforeWord: boolean;
  /** A letter of a script without upper case, such as Chinese, follows in its line. */
  isBeforeCaseless: boolean;
}

const sentenceEnd = /[.!?…。！？}\])>`*"”’']/u;
const listMarker = /^[ \t]*(?:[-+*•–—#]{1,6}|\d{1,3}[.)])[ \t]*$/u;
/** Longest list marker, including blanks. */
const LONGEST_MARKER = 12;
/** Number of characters that show how a text continues. */
const GLANCE = 12;

/** Directly after a tag: punctuation of the sentence that contains the tag. */
const glued =
  /^(?:[,;:!?)»”、。，；：！？）」』]|\.(?!\d)|["`'’](?![\p{L}\p{N}{[])|['’]s(?![\p{L}\p{N}]))/u;
/** A compound (`<think>-tags`) or a suffix (`two <think>s`). */
const compound = /^(?:[-‑/](?=[\p{L}<])|s(?=\s+\p{Ll}|[,.;:)]|$))/u;
/** After a space: a dash, a remark in parentheses, a table column, or punctuation as in French. */
const spaced = /^(?:[-–—]\s+\p{Ll}|[–—]\S|[&|]|\(\p{Ll}{2}|[/+]\s*[<\p{Ll}]|[,.;:!?](?:\s|$))/u;

/**
 * The text directly around a delimiter in `text`; text before `from` is already removed.
 * Source: docs/spec/extraction.md, section 1: in a sentence a tag is text.
 * @example surroundings("a <think> tag", delimiter).runsOn // true
 */
export function surroundings(
  text: string,
  { start, end }: Pick<Delimiter, "start" | "end">,
  from = 0,
): Surroundings {
  const { isFirst, isSpaced, ...before } = surroundingsBefore(text, start, from);
  return {
    ...before,
    ...surroundingsBehind(text, end, isSpaced && !isFirst && !before.isListItem),
  };
}

function surroundingsBefore(text: string, start: number, from: number) {
  let before = start;
  while (before > from && isBlank(text[before - 1]!)) before--;
  const isFirst = before === from || isBreak(text[before - 1]!);
  const isLineStart = isFirst && start - before <= 3;
  const isSpaced = start > from && isSpace(text[start - 1]!);
  const isListItem = !isFirst && listMarker.test(lineHead(text, from, before));
  while (before > from && isSpace(text[before - 1]!)) before--;
  const isQuoted = before === start && start > from && isOpeningQuote(text, start - 1, from);
  const last = text[before - 1] ?? "";
  const isBehindSentence = before === from || isListItem || (!isQuoted && sentenceEnd.test(last));
  const isWord = isSpaced && !isFirst && !isBehindSentence;
  const isIntroduced = before > from && /[:,：，、；]/u.test(last);
  return {
    isFirst,
    isLineStart,
    isIndented: isFirst && !isLineStart,
    isSpaced,
    isListItem,
    isQuoted,
    isBehindSentence,
    isWord,
    isIntroduced,
  };
}

/** The line up to `to`; empty if it is longer than a list marker. */
function lineHead(text: string, from: number, to: number): string {
  let start = to;
  while (start > from && !isBreak(text[start - 1]!)) {
    if (to - start >= LONGEST_MARKER) return "";
    start--;
  }
  return text.slice(start, to);
}

/** A mark that both opens and closes, such as `"`, closes if something else is directly before it. */
function isOpeningQuote(text: string, at: number, from: number): boolean {
  const mark = text[at]!;
  if (quotePairs[mark] !== mark) return mark in quotePairs;
  let before = at;
  while (before > from && at - before < GLANCE && text[before - 1] === mark) before--;
  return before === from || /[\s([{“‘«=]/u.test(text[before - 1]!);
}

function surroundingsBehind(text: string, end: number, isInLine: boolean) {
  let behind = end;
  while (behind < text.length && isBlank(text[behind]!)) behind++;
  const isLineEnd = behind === text.length || isBreak(text[behind]!);
  const isPadded = behind > end && !isLineEnd;
  const next = text.slice(behind, behind + GLANCE);
  // A sentence in the middle of a line may continue in the next line.
  const isWrapped = isLineEnd && isInLine && /^\r?\n[ \t]*\p{Ll}/u.test(next);
  const isBeforeWord = isPadded && /^\p{Ll}/u.test(next);
  const runsOn = isWrapped || isBeforeWord || (behind === end && glued.test(next));
  const mayRunOn = runsOn || (isPadded ? spaced : compound).test(next);
  return {
    runsOn,
    mayRunOn,
    isBeforeWord,
    isLineEnd,
    isPadded,
    opensWord: behind === end && !mayRunOn && /^[\p{Lu}\p{Ll}\p{N}{[]/u.test(next),
    isBeforeCaseless: /^\p{Lo}/u.test(next),
  };
}

const isBlank = (char: string) => char === " " || char === "\t";
const isBreak = (char: string) => char === "\n" || char === "\r";
const isSpace = (char: string) => isBlank(char) || isBreak(char);
