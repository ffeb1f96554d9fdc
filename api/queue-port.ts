import type { FinishMessage, LaneMessage } from "./pipeline/messages.ts";
import type { Queues } from "./pipeline/ports.ts";

/** Messages a sendBatch takes. */
const BATCH = 100;

interface Senders {
  answering: Queue<LaneMessage>;
  judging: Queue<LaneMessage>;
  finish: Queue<FinishMessage>;
}

/** The queues as the pipeline sees them: judges have their own, so that they hold up no model. */
export function queuePort(senders: Senders): Queues {
  return {
    async lanes(messages, delaySeconds = 0) {
      for (const phase of ["answering", "judging"] as const) {
        const its = messages.filter((message) => message.phase === phase);
        for (let i = 0; i < its.length; i += BATCH) {
          const batch = its.slice(i, i + BATCH).map((body) => ({ body }));
          await senders[phase].sendBatch(batch, { delaySeconds });
        }
      }
    },
    async finish(message) {
      await senders.finish.send(message);
    },
  };
}
