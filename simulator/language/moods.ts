/** Word beginnings that indicate an emotion. */
const signs: Readonly<Record<string, RegExp>> = {
  joy: /\b(?:happy|glad|great|marvellous|wonderful|love|laugh|thank|fun|enjoy|celebrat|pretty good|friendly|did it|can't wait|hurray|excited|helps?\b)/giu,
  sadness:
    /\b(?:sad|cry|cried|tired|lonel|miss\b|lost|died|grief|gloomy|hopeless|pointless|feel nothing|wiped out|heavy|cemetery|can't even|sick of|alone)/giu,
  anger:
    /\b(?:angry|anger|furious|scream|sick of|had it|fed up|hate|damn|rotten|war\b|unfair|third time|shout|[A-Z]{5,})/gu,
  fear: /\b(?:afraid|scared|worri|panic|fear|anxi|heart goes|shak|dizzy|what if|help\b|emergency|collapsed|narrow|tingly|bleed|late\b|weight on my chest|what do i do)/giu,
  surprise: /\b(?:suddenly|unexpected|surpris|never thought|two lines|wow|really\?|all at once)/giu,
  disgust: /\b(?:disgust|gross|nausea|vomit|stream|sticky|smell|itch|throat is on fire|foul)/giu,
};

/** Weight of `neutral`; every sign has weight 1. */
const calm = 0.8;

/** Weight that each exclamation mark adds to the strongest emotion. */
const perExclamation = 0.4;
const mostExclamations = 4;

/**
 * Emotions of a text by its words: weights of at least 0 that sum to 1. Linear.
 * @example moodOf("I'm so happy!").joy > 0.5 // true
 */
export function moodOf(text: string): Record<string, number> {
  const counts = Object.entries(signs).map(([name, sign]): [string, number] => {
    return [name, text.match(sign)?.length ?? 0];
  });
  const loud = Math.min(mostExclamations, text.match(/!/g)?.length ?? 0) * perExclamation;
  const most = Math.max(...counts.map(([, count]) => count));
  const felt = counts.map(([name, count]): [string, number] => {
    return [name, count + (most > 0 && count === most ? loud : 0)];
  });
  const all: [string, number][] = [...felt, ["neutral", calm]];
  const sum = all.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(all.map(([name, weight]) => [name, weight / sum]));
}

/**
 * The strongest emotion; `neutral` if there are none or all are equal.
 * @example strongestOf({ fear: 0.6, joy: 0.4 }) // "fear"
 */
export function strongestOf(mix: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(mix).sort(([, a], [, b]) => b - a);
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || first[1] === last?.[1] ? "neutral" : first[0];
}
