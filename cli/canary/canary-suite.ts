import type { Suite } from "#shared/contracts/suite.ts";
import { suites } from "#shared/suites/registry.ts";
import { BadInput } from "../bad-input.ts";
import { chosenSuite } from "../score/read-options.ts";

const hasCanaries = ({ judging }: Suite): boolean => (judging?.canaries ?? []).length > 0;

/** Ids of the suites that have canaries. */
export const canarySuiteIds: readonly string[] = suites.filter(hasCanaries).map(({ id }) => id);

/** The suite that the arguments name, or the only one with canaries. Throws BadInput. */
export function canarySuite(positionals: readonly string[]): Suite {
  const isNamed = positionals.length > 0 || canarySuiteIds.length > 1;
  const suite = chosenSuite(isNamed ? positionals : canarySuiteIds);
  if (hasCanaries(suite)) return suite;
  throw new BadInput(`suite ${suite.id} has no canaries; ${canarySuiteIds.join(", ")} has`);
}
