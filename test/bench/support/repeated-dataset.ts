import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { perturbed, usableRows } from "./extraction.ts";

/** Files of samples and their answers. */
export interface ScoredFilePaths {
  samples: string;
  answers: string;
  count: number;
}

/** Writes a dataset repeatedly until it has at least `least` samples, with about every eighth field of the answers wrong. */
export function writeRepeated(dataset: string, least: number, folder: string): ScoredFilePaths {
  const rows = usableRows(dataset);
  const times = Math.ceil(least / rows.length);
  const [samples, answers]: string[][] = [[], []];
  for (let copy = 0; copy < times; copy++) {
    for (const row of rows) {
      const sample = { ...row, id: `${row.id}-${copy}` };
      const output = JSON.stringify(perturbed(sample));
      samples!.push(JSON.stringify(sample));
      answers!.push(JSON.stringify({ id: sample.id, output, latencyMs: 500 + 37 * (copy % 24) }));
    }
  }
  const paths = { samples: join(folder, "samples.jsonl"), answers: join(folder, "answers.jsonl") };
  writeFileSync(paths.samples, `${samples!.join("\n")}\n`);
  writeFileSync(paths.answers, `${answers!.join("\n")}\n`);
  return { ...paths, count: rows.length * times };
}
