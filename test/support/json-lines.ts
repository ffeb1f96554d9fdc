/** The rows of a JSON Lines text. */
export const jsonLines = <T = ReturnType<typeof JSON.parse>>(text: string): T[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
