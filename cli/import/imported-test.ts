import type { Json } from "#shared/contracts/json.ts";
import type { PlacedAnswer } from "./imported-answers.ts";

/** A check of another tool on an answer. */
export interface Check {
  /** Its kind, in the words of the tool. */
  type: string;
  /** What a judge is asked instead; null: it asks no model. */
  question: string | null;
  /** Whether it compares with the expected answer. */
  isOfTarget: boolean;
  /** Whether every suite uses it. */
  isMapped: boolean;
  weight: number;
  /** The tool's own verdict on this answer, 0 to 1; null: none. */
  grade: number | null;
  /** What it becomes, or why it is not mapped. */
  outcome: string;
}

/** A message of a conversation. */
export interface ImportedMessage {
  role: string;
  content: string;
}

/** A test of another tool with one answer, as far as suites can use it. */
export interface ImportedTest {
  place: string;
  id: string;
  /** Who answered: a name within the file. */
  model: string;
  /** What the model was sent before it answered. */
  sent: readonly ImportedMessage[];
  /** The input within these messages; null: it has several turns. */
  input: string | null;
  /** The expected answer; null: none. */
  target: Json;
  /** JSON Schema of the answer; null: none. */
  schema: Json;
  tags: Readonly<Record<string, string>>;
  checks: readonly Check[];
  /** Why no suite can use it; null: nothing. */
  flaw: string | null;
  /** Unchecked. */
  answer: PlacedAnswer["answer"];
}
