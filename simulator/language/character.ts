/** Traits, and what speaks for and against them in what people write and in what is known of them. */
const signs: Readonly<Record<string, { more: RegExp; less: RegExp }>> = {
  openness: {
    more: /\b(?:curious|new|travel|music|paint|learn|yoga|reads?|try|abroad|idea)/giu,
    less: /\b(?:always|as usual|same|never changes|tradition)/giu,
  },
  conscientiousness: {
    more: /\b(?:plan|arrange|checked|every day|on time|list|measures|noted|need to|how should)/giu,
    less: /\b(?:forgot|late|putting off|mixed up|whatever|skip|spontaneous)/giu,
  },
  extraversion: {
    more: /\b(?:friends?|everyone|everybody|party|team|together|group|wedding|hug|sings?)/giu,
    less: /\b(?:alone|by myself|quiet|shy|in peace)/giu,
  },
  agreeableness: {
    more: /\b(?:thank|please|friendly|help|kind|nurses|let them down|grandmother|neighbour)/giu,
    less: /\b(?:damn|suing|quarrel|hate|fault|stupid|scream)/giu,
  },
  neuroticism: {
    more: /\b(?:afraid|worr|panic|anxi|can't sleep|cry|ashamed|round and round|nervous|rotten)/giu,
    less: /\b(?:calm|no trouble|fine|relaxed|sleeps well|marvellous)/giu,
  },
};

/** How far one sign moves a trait, and how many of them count. */
const perSign = 0.12;
const mostSigns = 3;

/**
 * How marked each of the Big Five traits is in a person, 0–1, by what is written of and by them; 0.5 where
 * nothing shows. Linear.
 * @example characterOf("Thank you, that was kind.").agreeableness > 0.5 // true
 */
export function characterOf(text: string): Record<string, number> {
  const count = (sign: RegExp) => Math.min(mostSigns, text.match(sign)?.length ?? 0);
  return Object.fromEntries(
    Object.entries(signs).map(([name, { more, less }]) => [
      name,
      0.5 + perSign * (count(more) - count(less)),
    ]),
  );
}
