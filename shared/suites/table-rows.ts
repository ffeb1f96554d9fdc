import type { Suite } from "../contracts/suite.ts";
import { extractionRow } from "./extraction/table-row.ts";

/** How table rows become dataset rows of a suite, without loading the suite; in other suites columns are fields. */
export const tableRows: Readonly<Record<string, Pick<Suite, "rowFromColumns">>> = {
  extraction: { rowFromColumns: extractionRow },
};
