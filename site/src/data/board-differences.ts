import type { Leaderboard } from "#shared/contracts/leaderboard.ts";

import { metricOf } from "./metrics.ts";

const traits: readonly { name: string; of: (board: Leaderboard) => string | number }[] = [
  { name: "dataset version", of: ({ dataset }) => dataset.version.slice(0, 12) },
  { name: "scoring", of: ({ scoringVersion }) => scoringVersion.slice(0, 12) },
  { name: "prompt", of: ({ promptHash }) => promptHash.slice(0, 12) },
  { name: "structured output", of: ({ structuredOutput }) => structuredOutput },
  { name: "repeats", of: ({ repeats }) => repeats },
  { name: "ranked by", of: ({ suite, headline }) => metricOf(suite, headline).label.toLowerCase() },
];

/** In what a board differs from its dataset's standard one, such as `structured output none`; else empty. */
export const boardDifferences = (board: Leaderboard, standard: Leaderboard): string[] =>
  traits.flatMap(({ name, of }) => (of(board) === of(standard) ? [] : [`${name} ${of(board)}`]));
