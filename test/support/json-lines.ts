/** The rows of a JSON Lines text. */
export const jsonLines = <T = ReturnType<typeof JSON.parse>>(text: string): T[] =>
  text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
