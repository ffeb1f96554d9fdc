/** Source: docs/spec/quality.md, coherence. */
export const connectors: readonly string[] = [
  ...["however", "therefore", "furthermore", "moreover", "consequently", "thus", "hence"],
  ...["additionally", "nevertheless", "nonetheless", "meanwhile", "instead", "otherwise"],
  ...["similarly", "likewise", "finally", "first", "second", "third", "next", "then", "because"],
  ...["although", "though", "while", "whereas", "since"],
  ...["for example", "for instance", "in addition", "in contrast", "on the other hand"],
  ...["as a result", "in conclusion", "in summary"],
];

/** Pronouns that stand for something and may instead point at the word behind them. */
export const demonstratives: ReadonlySet<string> = new Set(["this", "that", "these", "those"]);

/** Third-person and demonstrative pronouns. Source: docs/spec/quality.md, coherence. */
export const pronouns: ReadonlySet<string> = new Set([
  ...["he", "him", "his", "she", "her", "hers", "it", "its"],
  ...["they", "them", "their", "theirs"],
  ...demonstratives,
]);

/** Verbs that set a task. Source: docs/spec/quality.md, completeness. */
export const taskVerbs: ReadonlySet<string> = new Set([
  ...["explain", "describe", "compare", "analyze", "analyse", "list", "summarize", "summarise"],
  ...["define", "discuss", "evaluate", "outline", "write", "create", "give", "provide", "show"],
  ...["identify", "suggest", "recommend", "calculate", "translate"],
]);

/** Source: docs/spec/quality.md, completeness. */
export const questionWords: ReadonlySet<string> = new Set([
  ...["what", "which", "who", "whom", "whose", "when", "where", "why", "how"],
]);

/** What a conclusion says of itself. Source: docs/spec/quality.md, structure. */
export const summaryCues: readonly string[] = [
  ...["in conclusion", "in summary", "to summarize", "to sum up", "overall", "ultimately"],
  ...["finally", "in short", "to conclude", "therefore", "thus", "as a result", "all in all"],
];

/** What the specification adds to the stopword list, beside connectors and pronouns. */
export const furtherStopwords: readonly string[] = [
  ...["not", "no", "nor", "so", "will", "just", "its", "she", "us", "when", "why", "whose", "whom"],
  ...["may", "shall", "does", "doing", "done", "again", "ever", "off", "down", "out", "let", "own"],
  ...["yes", "were", "than", "very"],
];
