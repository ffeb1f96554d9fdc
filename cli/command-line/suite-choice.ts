import type { Suite } from "#shared/contracts/suite.ts";
import { suiteById, suites } from "#shared/suites/registry.ts";
import { BadInput } from "../errors.ts";
import { valueFlag } from "./command.ts";

/** Ids of all suites, as choices of flags and arguments. */
export const suiteIds: readonly string[] = suites.map(({ id }) => id);

/** `--suite` of commands that recognize the suite of a dataset without it. */
export const suiteFlag = valueFlag(
  "SUITE",
  "Suite of the samples; recognized from the first rows by default",
  { choices: suiteIds },
);

/** The suite with an id from `suiteIds`. */
export function suiteNamed(id: string): Suite {
  const suite = suiteById(id);
  if (suite === undefined) throw new BadInput(`unknown suite "${id}"`);
  return suite;
}

/** The positional of commands that take a config file, which may name the suite. */
export const suiteOfRun = {
  name: "suite",
  help: "Default: the suite of the config, else extraction",
  choices: suiteIds,
  optional: true,
} as const;
