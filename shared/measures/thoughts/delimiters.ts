/** A tag or token that opens or closes thoughts, or marks the answer. */
export interface Delimiter {
  /** A closing one belongs to an opening one of the same family. */
  family: string;
  role: "open" | "close";
  of: "thoughts" | "answer";
  /** The first character, and the one behind the last. */
  start: number;
  end: number;
  /** `<think/>`: opens and closes. */
  isEmpty: boolean;
}

const pattern =
  /<(\/?)(think|thinking|reasoning|thought|answer|response)(?:[ \t][^<>\n]{0,200})?(\/?)>|\[(\/?)THINK\]|◁(\/?)think▷|<\|(START|END)_(THINKING|RESPONSE)\|>/giu;

const answers = new Set(["answer", "response", "RESPONSE"]);

/**
 * Every delimiter of thoughts and answers in `text`, in order, but for those between a pair of quotes, backticks
 * or the like, which are text, and links such as `[think](…)`. Linear.
 * Source: docs/spec/extraction.md, section 1, thoughts.
 * @example delimitersIn("<think>Hm.</think>4").length // 2
 */
export function delimitersIn(text: string): Delimiter[] {
  return [...text.matchAll(pattern)].flatMap((found) => {
    const [tag, slash, name, , mistral, kimi, edge, token] = found;
    const [start, end] = [found.index, found.index + tag.length];
    if (mistral !== undefined && tag !== tag.toUpperCase()) return [];
    if (quotePairs[text[start - 1] ?? ""] === (text[end] ?? "")) return [];
    const family =
      name?.toLowerCase() ?? (mistral === undefined ? (token ?? "kimi").toUpperCase() : "mistral");
    const isClosing = (slash || mistral || kimi) === "/" || edge?.toUpperCase() === "END";
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

/** Where a block ends, as indices of its closing delimiter; null where nothing closes it. */
export interface BlockEnd {
  /** The next closing delimiter of the family. */
  first: number | null;
  /** The one that closes it when nested blocks are counted; where they don't add up, the nearest to it. */
  outer: number | null;
}

/**
 * The ends of each opening delimiter, by its index. Linear, also in nested and unclosed blocks.
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
  // Backwards: the next closing delimiter, and the first of those that leave the fewest blocks open.
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

/** What is directly around a delimiter. */
export interface Surroundings {
  /** Alone at the start of its line, but for up to three blanks. */
  isLineStart: boolean;
  /** What comes before begins a sentence, or has ended one. */
  isBehindSentence: boolean;
  /** The text after it continues a sentence: a lower-case word, or a punctuation mark. */
  runsOn: boolean;
}

const sentenceEnd = /[.!?…。！？}\])>`*|"”’']/u;

/**
 * The direct surroundings of a delimiter in `text`; text before `from` is already removed.
 * Source: docs/spec/extraction.md, section 1: in a sentence a tag is text.
 * @example surroundings("a <think> tag", delimiter).runsOn // true
 */
export function surroundings(
  text: string,
  { start, end }: Pick<Delimiter, "start" | "end">,
  from = 0,
): Surroundings {
  let before = start;
  while (before > from && isBlank(text[before - 1]!)) before--;
  const isFirst = before === from || isBreak(text[before - 1]!);
  const isLineStart = isFirst && start - before <= 3;
  while (before > from && isSpace(text[before - 1]!)) before--;
  const isOpeningQuote = before === start && start > from && text[start - 1]! in quotePairs;
  const isBehindSentence =
    before === from || (!isOpeningQuote && sentenceEnd.test(text[before - 1]!));
  let behind = end;
  while (behind < text.length && isBlank(text[behind]!)) behind++;
  const isLineEnd = behind === text.length || isBreak(text[behind]!);
  const next = text[behind] ?? "";
  const isSpaced = start > from && isSpace(text[start - 1]!);
  // A sentence in the middle of a line may continue in the next line.
  const isWrapped =
    isLineEnd && !isFirst && isSpaced && /^\r?\n[ \t]*\p{Ll}/u.test(text.slice(behind, behind + 8));
  const runsOn =
    isWrapped ||
    (!isLineEnd && (behind > end ? /\p{Ll}/u.test(next) : /[,.;:!?)'"”’»`]/u.test(next)));
  return { isLineStart, isBehindSentence, runsOn };
}

const isBlank = (char: string) => char === " " || char === "\t";
const isBreak = (char: string) => char === "\n" || char === "\r";
const isSpace = (char: string) => isBlank(char) || isBreak(char);
