/** The suites of this build; the site knows nothing of a suite but what its object says. */
export { suiteById, suites } from "#shared/suites/registry.ts";
