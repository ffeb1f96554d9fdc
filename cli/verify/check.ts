/** What is not as it was signed. */
export interface Difference {
  what: string;
  signed: unknown;
  found: unknown;
}

/** One thing that was looked at. */
export interface Check {
  name: "signature" | "dataset" | "answers" | "scores" | "models" | "metrics";
  /** `unchecked`: nothing can be said. */
  outcome: "ok" | "differs" | "unchecked";
  /** What was found, or why nothing could be. */
  said: string;
  differences: Difference[];
}

type Name = Check["name"];

/** It is as it was signed. */
export const passed = (name: Name, said: string): Check => ({
  name,
  outcome: "ok",
  said,
  differences: [],
});

/** It is not as it was signed. */
export const differs = (name: Name, said: string, differences: Difference[] = []): Check => ({
  name,
  outcome: "differs",
  said,
  differences,
});

/** Nothing can be said of it. */
export const unchecked = (name: Name, said: string): Check => ({
  name,
  outcome: "unchecked",
  said,
  differences: [],
});
