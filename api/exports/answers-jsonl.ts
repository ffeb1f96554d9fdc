import { submittableAnswer } from "#shared/contracts/submittable-answer.ts";
import { answerOf } from "#shared/contracts/submitted-answer.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import type { Ports, RunRecord } from "../platform/ports.ts";
import { storedBySeq } from "../runs/stored-samples.ts";

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
