/** A difference from the signed value. */
export interface Difference {
  what: string;
  signed: unknown;
  found: unknown;
}

/** One check. */
export interface Check {
  name: "signature" | "dataset" | "answers" | "scores" | "models" | "metrics";
  /** `unchecked`: could not be checked. */
  outcome: "ok" | "differs" | "unchecked";
  /** The result, or why there is none. */
  said: string;
  differences: Difference[];
}

type Name = Check["name"];

/** It equals the signed value. */
export const passed = (name: Name, said: string): Check => ({
  name,
  outcome: "ok",
  said,
  differences: [],
});

/** It differs from the signed value. */
export const differs = (name: Name, said: string, differences: Difference[] = []): Check => ({
  name,
  outcome: "differs",
  said,
  differences,
});

/** It could not be checked. */
export const unchecked = (name: Name, said: string): Check => ({
  name,
  outcome: "unchecked",
  said,
  differences: [],
});
