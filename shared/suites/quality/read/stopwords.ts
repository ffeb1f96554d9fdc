import { eng } from "stopword";
import { connectors, furtherStopwords, pronouns } from "./word-lists.ts";

/**
 * English words that carry no topic, in lower case: the `eng` list of npm `stopword` 3, one-word
 * connectors, pronouns, and the specification's own.
 * Source: docs/spec/quality.md, text utilities.
 * @example stopwords.has("the") // true
 */
export const stopwords: ReadonlySet<string> = new Set([
  ...eng,
  ...connectors.filter((connector) => !connector.includes(" ")),
  ...pronouns,
  ...furtherStopwords,
]);
