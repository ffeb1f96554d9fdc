import { z } from "@hono/zod-openapi";
import { downloadName } from "#shared/contracts/text/download-name.ts";

import type { RunRecord } from "../runs/schema.ts";
import type { AppContext } from "./router.ts";

const mediaTypes = {
  json: "application/json",
  jsonl: "application/x-ndjson",
  csv: "text/csv",
  md: "text/markdown",
} as const;
export type FileFormat = keyof typeof mediaTypes;

const formulas =
  "Text that a spreadsheet would read as a formula starts with an apostrophe; numbers are unchanged";

export const fileResponse = (
  format: FileFormat,
  description: string,
  example: unknown,
  schema: z.ZodType = z.string(),
) => ({
  200: {
    description: format === "csv" ? `${description}. ${formulas}` : description,
    content: { [mediaTypes[format]]: { schema, example } },
  },
  304: { description: "Not modified since If-None-Match" },
});

/**
 * Headers of a downloadable file. The ETag is a hash of what determines the content: hashing the content itself would
 * read the whole stream.
 */
export function fileHeaders(
  c: AppContext,
  format: FileFormat,
  name: readonly string[],
  state: readonly unknown[] = [],
): Record<string, string> {
  if (state.length > 0) c.header("etag", `W/"${state.join("-")}"`);
  return {
    "content-type": `${mediaTypes[format]}; charset=utf-8`,
    "content-disposition": `attachment; filename="${downloadName(["assay", ...name], format)}"`,
  };
}

/** All state that determines what is shown of a run. */
export const stateOf = (run: RunRecord): unknown[] => {
  const { id, status, done, finishedAt, answersRemovedAt, failedJudgments } = run;
  return [id, status, done, finishedAt ?? 0, answersRemovedAt ?? 0, failedJudgments];
};
