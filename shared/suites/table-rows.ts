import type { Suite } from "../contracts/suite.ts";
import { extractionRow } from "./extraction/table-row.ts";

/** How rows of a table become those of a suite, without the rest of the suite; columns of other suites are its fields. */
export const tableRows: Readonly<Record<string, Pick<Suite, "rowFromColumns">>> = {
  extraction: { rowFromColumns: extractionRow },
};
