import { readFileSync } from "node:fs";
import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { suggestion } from "../suggestion.ts";
import { firstProblem } from "./first-problem.ts";
import { fileProblem } from "./open-file.ts";

/** The suite that the arguments name; throws BadInput where they name none, or none there is. */
export function chosenSuite(positionals: readonly string[]): Suite {
  const suiteIds = suites.map(({ id }) => id);
  const [id, surplus] = positionals;
  if (id === undefined) throw new BadInput(`name a suite: ${suiteIds.join(", ")}`);
  if (surplus !== undefined) throw new BadInput(`one suite at a time; "${surplus}" is too much`);
  const suite = suiteById(id);
  if (suite) return suite;
  const near = suggestion(id, suiteIds) || `; there is ${suiteIds.join(", ")}`;
  throw new BadInput(`there is no suite "${id}"${near}`);
}

/** The suite's options from a file of JSON; without one, the defaults. Throws BadInput. */
export function readOptions(suite: Suite, path: string | undefined): unknown {
  const given = path === undefined ? {} : readJson(path);
  const parsed = suite.optionsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const known = Object.keys(suite.optionsSchema.parse({}) as object);
  throw new BadInput(`${path}: ${firstProblem(parsed.error.issues, given, known, "the options")}`);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw fileProblem(path, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadInput(`${path}: it is not JSON: ${(error as Error).message}`);
  }
}
