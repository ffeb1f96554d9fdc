import type { Tone } from "#shared/contracts/report.ts";

/** The hue of each category (`tones` in the contract of reports), the same in every chart; tokens.css has the colours. */
export const toneHues: Readonly<Record<Tone, number>> = {
  // The quality of a value.
  excellent: 0,
  good: 1,
  fair: 2,
  poor: 3,
  veryPoor: 7,
  // The outcome of an expected or given part.
  right: 0,
  close: 1,
  other: 2,
  wrong: 3,
  missed: 4,
  extra: 5,
  partMissed: 9,
  partExtra: 8,
  madeUp: 7,
  // How an answer was received.
  read: 1,
  recovered: 2,
  unreadable: 6,
  refused: 3,
  empty: 9,
  failed: 7,
  // A part in comparison with the whole.
  above: 1,
  below: 3,
  neutral: 6,
  // Categories without an order.
  kind0: 3,
  kind1: 4,
  kind2: 5,
  kind3: 6,
  kind4: 8,
  kind5: 9,
};

/** The fill of a tone, in both colour schemes. */
export const toneFill = (tone: Tone): string => `var(--hue-${toneHues[tone]})`;

/** The class that gives an element the tone's colour as `--tone`. */
export const toneClass = (tone: Tone | "accent"): string =>
  `hue-${tone === "accent" ? tone : toneHues[tone]}`;
