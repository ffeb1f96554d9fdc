import type { Json } from "#shared/contracts/json.ts";
import type { PlacedAnswer } from "./imported-answers.ts";

/** A check of another tool on an answer. */
export interface Check {
  /** The tool's name for this kind of check. */
  type: string;
  /** The equivalent question for a judge; null if no model checks. */
  question: string | null;
  /** Whether the check compares with the expected answer. */
  isOfTarget: boolean;
  /** Whether every suite uses the check. */
  isMapped: boolean;
  weight: number;
  /** The tool's verdict on this answer, 0 to 1; null without a verdict. */
  grade: number | null;
  /** Its equivalent in Assay, or why it is not mapped. */
  outcome: string;
}

/** A message of a conversation. */
export interface ImportedMessage {
  role: string;
  content: string;
}

/** The parts of another tool's test that suites can use, with one answer. */
export interface ImportedTest {
  place: string;
  id: string;
  /** Name of the answering model in the file. */
  model: string;
  /** The messages that the model was sent. */
  sent: readonly ImportedMessage[];
  /** The input within these messages; null for several turns. */
  input: string | null;
  /** The expected answer, or null. */
  target: Json;
  /** JSON Schema of the answer, or null. */
  schema: Json;
  tags: Readonly<Record<string, string>>;
  checks: readonly Check[];
  /** Why no suite can use the test, or null. */
  flaw: string | null;
  /** The answer, unchecked. */
  answer: PlacedAnswer["answer"];
}
