/** The suites of this build; the site knows a suite only by its object. */
export { suiteById, suites } from "#shared/suites/registry.ts";
