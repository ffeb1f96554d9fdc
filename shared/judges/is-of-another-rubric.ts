import type { Judge } from "../contracts/judging/judge.ts";
import type { JudgmentRecord } from "../contracts/judging/judgment.ts";
import type { Suite } from "../contracts/suite.ts";
import { promptHash } from "./judge-prompt.ts";

/**
 * Whether a judgment that was made elsewhere names another prompt than that of a criterion, and so may answer another
 * question under the same id. A suite's own metrics ask the same question in any wording.
 * Source: docs/spec/memory.md, judges.
 * @example isOfAnotherRubric(memory, empathy, { promptHash: "my-prompt" }) // false
 */
export const isOfAnotherRubric = (
  { withOptions }: Pick<Suite, "withOptions">,
  judge: Judge,
  { promptHash: given }: Pick<JudgmentRecord, "promptHash">,
): boolean => withOptions !== undefined && given !== null && given !== promptHash(judge);
