import type { ReportBlock } from "../../../contracts/report.ts";

/**
 * Blocks with those that are folded at the end, else in their order: what is of second rank parts no charts that
 * belong together.
 * @example chartsFirst([bars, ...folded([table]), boxes]) // bars, boxes, table
 */
export const chartsFirst = (blocks: readonly ReportBlock[]): ReportBlock[] => [
  ...blocks.filter(({ folded }) => folded === undefined),
  ...blocks.filter(({ folded }) => folded !== undefined),
];
