import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { BadInput } from "../errors.ts";
import { fileProblem } from "../files/open-file.ts";

/** Files or folders of BFCL from flags. */
export interface BfclPaths {
  results: readonly string[];
  cases: string;
  answers: string | null;
  functions: string | null;
  scores: string | null;
}

/** A file of results and the files that belong to it. */
export interface BfclFiles {
  /** For example `simple_python`. */
  category: string;
  results: string;
  /** Null: the folder has no cases of this category. */
  cases: string | null;
  answers: string | null;
  functions: string | null;
  scores: string | null;
}

const isResults = /_result\.jsonl?$/;

/**
 * Finds the files that belong to each file of results by name. In a folder, `BFCL_v4_simple_result.json` has the cases
 * `BFCL_v4_simple.json`, the accepted answers `possible_answer/BFCL_v4_simple.json` and the scores
 * `BFCL_v4_simple_score.json`; scores are in the same subfolder as the results. Throws BadInput.
 */
export function bfclFiles({ results, scores, ...given }: BfclPaths): BfclFiles[] {
  const files = results.flatMap((path) => {
    const isInFolder = isFolder(path);
    const found = isInFolder ? resultsIn(path) : [path];
    return found.map((file) => {
      const scored = isInFolder ? relative(path, file) : basename(file);
      return { ...ofCategory(file, given), scores: scoresOf(scored, scores) };
    });
  });
  if (files.length > 1 && scores !== null && !isFolder(scores)) {
    throw new BadInput(`${scores}: scores one file; give the folder of the scores of all`);
  }
  return files;
}

function resultsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const found = names.filter((name) => isResults.test(name)).toSorted();
  if (found.length > 0) return found.map((name) => join(folder, name));
  throw new BadInput(`${folder}: has no results, such as BFCL_v4_multiple_result.json`);
}

function ofCategory(
  results: string,
  { cases, ...given }: Pick<BfclPaths, "cases" | "answers" | "functions">,
): Omit<BfclFiles, "scores"> {
  const name = basename(results).replace(isResults, extname(results));
  const category = basename(name, extname(name)).replace(/^BFCL_v\d+_/, "");
  const isInFolder = isFolder(cases);
  const answers = given.answers ?? (isInFolder ? join(cases, "possible_answer") : null);
  const functions = given.functions ?? (isInFolder ? join(cases, "multi_turn_func_doc") : null);
  return {
    category,
    results,
    cases: isInFolder ? inFolder(cases, name) : cases,
    answers: given.answers !== null && !isFolder(given.answers) ? answers : inFolder(answers, name),
    functions: given.functions ?? (functions !== null && existsSync(functions) ? functions : null),
  };
}

function inFolder(folder: string | null, name: string): string | null {
  const path = folder === null ? null : join(folder, name);
  return path !== null && existsSync(path) ? path : null;
}

function scoresOf(results: string, scores: string | null): string | null {
  if (scores === null || !isFolder(scores)) return scores;
  const path = join(scores, results.replace(isResults, `_score${extname(results)}`));
  if (existsSync(path)) return path;
  throw new BadInput(`${path}: there is no such file; it would have the scores of ${results}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    throw fileProblem(path, error);
  }
}
