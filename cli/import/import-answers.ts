import type { Writable } from "node:stream";
import { BadInput } from "../bad-input.ts";
import { onTermination } from "../score/on-termination.ts";
import { type OutputFile, openOutput, streamOutput } from "../score/output-file.ts";
import { checkedAnswer, type PlacedAnswer } from "./imported-answers.ts";

/** What to import, and where to. */
export interface AnswersImport {
  /** The other tool's file. */
  path: string;
  answers: Iterable<PlacedAnswer>;
  /** Where the answers go, `-` for `stdout`; null for nowhere. */
  out: string | null;
  stdout: Writable;
}

/** What an import came to. */
export interface ImportedAnswers {
  answers: number;
  /** Ids, each once: a sample may be answered several times. */
  samples: number;
  /** Answers that could not be had. */
  errors: number;
}

/** Writes another tool's answers as `assay score` takes them; in place only when all went well. Throws BadInput. */
export function importAnswers({ path, answers, out, stdout }: AnswersImport): ImportedAnswers {
  let output: OutputFile | null = null;
  const release = onTermination(() => output?.abandon());
  try {
    if (out !== null) output = out === "-" ? streamOutput(stdout) : openOutput(out, [path]);
    const ids = new Set<string>();
    let [count, errors] = [0, 0];
    for (const placed of answers) {
      const answer = checkedAnswer(placed);
      output?.add(JSON.stringify(answer));
      ids.add(answer.id);
      count++;
      if (typeof answer.error === "string") errors++;
    }
    if (count === 0) throw new BadInput(`${path}: it holds no answer`);
    output?.complete();
    return { answers: count, samples: ids.size, errors };
  } catch (error) {
    output?.abandon();
    throw error;
  } finally {
    release();
  }
}
