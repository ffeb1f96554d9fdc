/** Words that hold sentences together, and verbs that only set a task: no phrase is made of them. */
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

/** More words than this in a row are two phrases. */
const maxWords = 3;

/** Longer runs of letters are no words to repeat. */
const maxLetters = 40;

/**
 * What a text is about: its content words, each with those that stand right beside it, in order and
 * without repetition. Linear.
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
