import type { FinishMessage, LaneMessage } from "./pipeline/messages.ts";
import type { Queues } from "./pipeline/ports.ts";

/** Messages a sendBatch takes. */
const BATCH = 100;

/** The two queues as the pipeline sees them. */
export function queuePort(evaluate: Queue<LaneMessage>, finish: Queue<FinishMessage>): Queues {
  return {
    async lanes(messages, delaySeconds = 0) {
      for (let i = 0; i < messages.length; i += BATCH) {
        const batch = messages.slice(i, i + BATCH).map((body) => ({ body }));
        await evaluate.sendBatch(batch, { delaySeconds });
      }
    },
    async finish(message) {
      await finish.send(message);
    },
  };
}
