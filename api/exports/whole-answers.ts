import { wholeAnswerLine } from "#shared/contracts/whole-answer.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { samplePages } from "./sample-pages.ts";
import { textStream } from "./text-stream.ts";
import { jsonLines } from "./write-rows.ts";

/**
 * A run's answers as they were stored, in order and page by page. The caller makes sure that the raw answers are
 * kept.
 */
export async function wholeAnswers(
  ports: Ports,
  run: RunRecord,
): Promise<ReadableStream<Uint8Array>> {
  const { plan } = await openRun(ports, { ...run, sealedSecrets: null });
  async function* lines() {
    for await (const page of samplePages(ports, run)) {
      yield page.map(({ row: { seq, sampleId, object }, stored }) => {
        // A file that lacks lines in silence would be taken for the whole.
        if (stored === undefined)
          throw new Error(`missing answer of sample ${sampleId} in ${object}`);
        return wholeAnswerLine(stored, seq % plan.repeats);
      });
    }
  }
  return textStream(jsonLines(lines()));
}
