import { parentPort } from "node:worker_threads";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import { suiteById } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import { AnswerIndex } from "./answer-index.ts";
import { type RowBlock, scoreBlock } from "./row-block.ts";
import type { ThreadReply, ThreadRules } from "./scoring-threads.ts";

/** Scores blocks of rows for the main thread. The first message has the rules, each further message is a block. */
let scored: ((block: RowBlock) => ReturnType<typeof scoreBlock>) | null = null;

parentPort?.on("message", (message: ThreadRules | RowBlock) => {
  if ("suiteId" in message) {
    const { suiteId, index, ...rules } = message;
    const suite = suiteFor(suiteById(suiteId)!, rules.options);
    const answers = AnswerIndex.from(index);
    scored = (block) => scoreBlock({ ...rules, suite }, block, answers);
  } else parentPort?.postMessage(replyTo(message));
});

/** Removes the contents of rows, because the main thread has their bytes. */
function replyTo(block: RowBlock): ThreadReply {
  try {
    const rows = scored!(block).map(({ row, scores }) => {
      if (!row.ok) return { row, scores };
      const { head, warnings } = row;
      return { row: { ok: true as const, head, warnings }, scores };
    });
    return { rows };
  } catch (error) {
    const { message, stack } = error as Error;
    const isBadInput = error instanceof BadInput;
    return { error: isBadInput ? message : (stack ?? message), isBadInput };
  }
}
