import { submittableAnswer } from "#shared/contracts/submissions/submittable-answer.ts";
import { answerOf } from "#shared/contracts/submissions/submitted-answer.ts";
import { wholeAnswerLine } from "#shared/contracts/submissions/whole-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { openRun } from "../engine/run-work.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { storedBySeq } from "../runs/stored-samples.ts";
import { samplePages } from "./sample-pages.ts";
import { jsonLines, textStream } from "./write-rows.ts";

/** Rows a page: a stored sample has some ten kilobytes, and a page of them is held at once. */
const PAGE_ROWS = 200;

/**
 * A run's answers as JSON lines that a submission takes unchanged, in order and page by page. A sample whose
 * stored answer is gone counts as one that was not submitted.
 */
export function answersJsonl(
  { runs, objects }: Pick<Ports, "runs" | "objects">,
  { id }: Pick<RunRecord, "id">,
  suite: Suite,
  pageRows = PAGE_ROWS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after = -1;
  return new ReadableStream({
    async pull(controller) {
      const rows = await runs.samples(id, after, pageRows);
      after = rows.at(-1)?.seq ?? after;
      const stored = await storedBySeq(objects, rows);
      const lines = rows.map(({ seq, sampleId }) => {
        const answer = stored.get(seq)?.answer ?? answerOf(null);
        return `${JSON.stringify(submittableAnswer(sampleId, answer, suite))}\n`;
      });
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      if (rows.length < pageRows) controller.close();
    },
  });
}

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
        // A file with lines missing silently would be taken for the whole.
        if (stored === undefined)
          throw new Error(`missing answer of sample ${sampleId} in ${object}`);
        return wholeAnswerLine(stored, seq % plan.repeats);
      });
    }
  }
  return textStream(jsonLines(lines()));
}
