import { closeSync } from "node:fs";
import { isJsonObject, type Json } from "#shared/contracts/json.ts";
import { badLine } from "../bad-input.ts";
import { openInput } from "../score/open-file.ts";
import { parseRow } from "../score/parse-row.ts";
import { readLines } from "../score/read-lines.ts";

/** The ground truth of each case in a file of BFCL's possible answers. Throws BadInput. */
export function answersById(path: string): Map<string, Json> {
  const { fd, name } = openInput(path);
  try {
    const answers = new Map<string, Json>();
    for (const line of readLines(fd, name)) {
      const row = parseRow(line.bytes);
      if (!row.ok) throw badLine(name, line.number, row.error);
      const { id, ground_truth: truth } = isJsonObject(row.value) ? row.value : {};
      if (typeof id !== "string" || truth === undefined) {
        throw badLine(name, line.number, "a possible answer is {id, ground_truth}; this is none");
      }
      answers.set(id, truth);
    }
    return answers;
  } finally {
    closeSync(fd);
  }
}
