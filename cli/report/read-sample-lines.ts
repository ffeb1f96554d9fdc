import { closeSync } from "node:fs";
import { z } from "zod";
import { errorClasses } from "#shared/contracts/answer.ts";
import { openInput } from "../score/open-file.ts";
import { parseRow } from "../score/parse-row.ts";
import { readLines } from "../score/read-lines.ts";

const known = z.number().nullable();

/** A line that `assay score --samples` and a service's samples.jsonl have; the suite's own are beside these. */
const lineSchema = z.looseObject({
  id: z.string(),
  repeat: z.int().default(0),
  outcome: z.enum(["scored", "unscored", "not_applicable"]),
  covered: z.boolean(),
  errorClass: z.enum(errorClasses).optional().catch(undefined),
  score: known,
  latencyMs: known,
  inputTokens: known,
  outputTokens: known,
  attempts: z.int(),
});
export type SampleLine = z.infer<typeof lineSchema>;

/** The lines of a file of samples in order; ends at one that is none. Throws BadInput where it can't be read. */
export function* readSampleLines(path: string): Generator<SampleLine> {
  const { fd, name } = openInput(path);
  try {
    for (const { bytes } of readLines(fd, name)) {
      const row = parseRow(bytes);
      const line = lineSchema.safeParse(row.ok ? row.value : null);
      if (!line.success) return;
      yield line.data;
    }
  } finally {
    closeSync(fd);
  }
}
