import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { suiteFor } from "#shared/contracts/boards/ranking.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { suggestion } from "#shared/contracts/text/suggestion.ts";
import { suiteIds, suiteNamed } from "../command-line/suite-choice.ts";
import { recognizeSuite } from "../dataset/recognize-suite.ts";
import { BadInput } from "../errors.ts";
import { isServiceNamed } from "../remote/service-flags.ts";
import { pricesOf } from "../score/prices.ts";
import type { ScoringTask } from "../score/score-files.ts";
import { optionFlags, ownOptions, readOptions } from "../score/score-paths.ts";

/** The limits of `GET /v1/compare`. */
export const MIN_FILES = 2;
export const MAX_FILES = 20;
/** Maximum result folders: each is read once, and only its headline is stored if there are many. */
export const MAX_FOLDERS = 100;
/** The usual results folder in configs of other programs. */
const RESULTS = "results";

/** The flags of `assay compare` that select what is compared. */
interface SourceFlags {
  dataset?: string | undefined;
  answers?: string[] | undefined;
  options?: string | undefined;
  rubric?: string | undefined;
  repeats?: string | undefined;
  "pass-score"?: string | undefined;
  "price-in"?: string[] | undefined;
  "price-out"?: string[] | undefined;
  runs?: string[] | undefined;
  server?: string | undefined;
}

/** Files of answers, with their dataset and prices. */
export type ComparedFilesTask = ReturnType<typeof filesOf>;

export type ComparisonSource =
  | { kind: "files"; task: ComparedFilesTask }
  | { kind: "folders"; folders: string[] }
  | { kind: "runs"; ids: string[] };

/** Finds what flags and arguments select for comparison. Throws BadInput. */
export function comparisonSource(
  values: SourceFlags,
  given: readonly (string | undefined)[],
): ComparisonSource {
  const named = given.filter((one) => one !== undefined);
  const [first, ...others] = named;
  if (values.runs !== undefined || (first !== undefined && named.every(isRunId))) {
    refuseFiles(values, values.runs && first);
    const ids = idsOf(values.runs ?? named);
    const folders = isServiceNamed(values) ? null : foldersOf(ids);
    return folders === null ? { kind: "runs", ids } : { kind: "folders", folders };
  }
  const isSuite = others.length === 0 && suiteIds.includes(first ?? "");
  if (first !== undefined && !isSuite && named.some((one) => existsSync(one))) {
    const folders = resultFolders(named);
    refuseFiles(values, undefined);
    return { kind: "folders", folders };
  }
  const [surplus] = others;
  if (surplus !== undefined) throw new BadInput(`there is no result folder ${surplus}`);
  return { kind: "files", task: filesOf(values, first) };
}

/** Run ids need no --runs, unless files or folders have the same names. */
const isRunId = (name: string): boolean => name.startsWith("run_") && !existsSync(name);

/** Throws BadInput. */
function resultFolders(paths: readonly string[]): string[] {
  const other = paths.find((path) => !isFolder(path));
  if (other !== undefined) {
    throw new BadInput(
      existsSync(other)
        ? `${other} is a file, not a result folder: give files of answers with --answers`
        : `there is no result folder ${other}`,
    );
  }
  if (paths.length >= MIN_FILES && paths.length <= MAX_FOLDERS) return [...paths];
  throw new BadInput(`give ${MIN_FILES} to ${MAX_FOLDERS} result folders, not ${paths.length}`);
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Result folders with these names, here or in results/; null if one is missing. */
function foldersOf(names: readonly string[]): string[] | null {
  const found = names.flatMap((name) => [name, join(RESULTS, name)].find(isFolder) ?? []);
  return found.length === names.length ? found : null;
}

/** The files to compare. Throws BadInput. */
function filesOf(values: SourceFlags, suiteId: string | undefined) {
  const { dataset, answers = [], server } = values;
  const named = suiteId === undefined ? null : suiteOrFolder(suiteId);
  if (server !== undefined)
    throw new BadInput("--server needs ids of runs; files are compared offline");
  if (dataset === undefined) {
    throw new BadInput("give two runs or result folders, or --dataset FILE with --answers");
  }
  if (answers.length < MIN_FILES || answers.length > MAX_FILES) {
    throw new BadInput(
      `give --answers FILE ${MIN_FILES} to ${MAX_FILES} times, not ${answers.length}`,
    );
  }
  const prices = pricesOfEach(answers, values["price-in"] ?? [], values["price-out"] ?? []);
  const suite = named ?? recognizeSuite(dataset);
  const options = readOptions(suite, values.options, ownOptions(values));
  return { suite: suiteFor(suite, options), options, dataset, answers, prices };
}

/** Throws BadInput. */
function suiteOrFolder(name: string): Suite {
  if (suiteIds.includes(name)) return suiteNamed(name);
  const near = suggestion(name, suiteIds) || `; choose ${suiteIds.join(", ")}, or result folders`;
  throw new BadInput(`unknown suite "${name}"${near}`);
}

/** Prices of each file; a single pair applies to all files. Throws BadInput for any other number of prices. */
function pricesOfEach(
  answers: readonly string[],
  inputs: readonly string[],
  outputs: readonly string[],
): ScoringTask["prices"][] {
  for (const given of [inputs.length, outputs.length]) {
    if (given <= 1 || given === answers.length) continue;
    throw new BadInput(
      `give --price-in and --price-out once or ${answers.length} times, like --answers, not ${given} times`,
    );
  }
  const at = (prices: readonly string[], i: number) => prices[prices.length === 1 ? 0 : i];
  return answers.map((_, i) => pricesOf(at(inputs, i), at(outputs, i)));
}

/** Refuses arguments for files if runs or folders are compared. */
function refuseFiles(values: SourceFlags, suite: string | undefined): void {
  const own = Object.keys(optionFlags) as (keyof typeof optionFlags)[];
  const ofFiles = ["dataset", "answers", "options", ...own, "price-in", "price-out"] as const;
  const given = ofFiles.find((name) => values[name] !== undefined);
  const other = values.runs === undefined ? "runs or result folders" : "--runs";
  if (given !== undefined) throw new BadInput(`--${given} and ${other} exclude each other`);
  if (suite === undefined) return;
  throw new BadInput(`unexpected argument "${suite}": --runs needs no suite`);
}

function idsOf(given: readonly string[]): string[] {
  const ids = [...new Set(given.flatMap((one) => one.split(",")).map((id) => id.trim()))];
  const wanted = ids.filter(Boolean);
  if (wanted.length >= MIN_FILES && wanted.length <= MAX_FILES) return wanted;
  throw new BadInput(
    `give ${MIN_FILES} to ${MAX_FILES} different runs, such as run_01a2 run_05d6, not ${wanted.length}`,
  );
}
