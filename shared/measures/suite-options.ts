import type { Run } from "../contracts/run.ts";
import { runOptionsSchema } from "../contracts/submissions/submission.ts";

/**
 * A run's options without those that every suite has: suites refuse names they don't know.
 * @example suiteOptions({ temperature: 0, concurrency: 4 }) // { temperature: 0 }
 */
export const suiteOptions = (options: Run["options"]): Run["options"] =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in runOptionsSchema.shape)));
