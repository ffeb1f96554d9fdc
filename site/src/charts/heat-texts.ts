import * as Plot from "@observablehq/plot";

/** Of the seven colours, the first that bears light text by day, dark text by night. */
const firstHigh = 4;

/** Numbers on coloured cells, in the ink that their colour bears. */
export const heatTexts = <Cell extends { step: number }>(
  cells: readonly Cell[],
  options: Omit<Plot.TextOptions, "text"> & { text: (cell: Cell) => string },
): Plot.Markish[] =>
  [
    { its: cells.filter(({ step }) => step < firstHigh), className: "heat-low" },
    { its: cells.filter(({ step }) => step >= firstHigh), className: "heat-high" },
  ].map(({ its, className }) => Plot.text(its, { ...options, className }));
