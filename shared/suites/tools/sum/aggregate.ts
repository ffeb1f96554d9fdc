import type { Aggregator } from "../../../contracts/suite.ts";
import {
  addAnswer,
  noAnswers,
  type PartNumbers,
  type RunRules,
  type RunState,
} from "../../../measures/run-sums/run-state.ts";
import type { ToolsOptions } from "../options.ts";
import type { ToolsDetail } from "../score/score.ts";
import { noNumbers, numbersOf, type ToolsColumn, toolsColumns } from "./columns.ts";
import { summarize } from "./summarize.ts";

/** How answers become numbers: the whole answer, its functions, their arguments, its source. */
const rules: RunRules<ToolsColumn, ToolsDetail> = {
  columns: toolsColumns,
  spreads: [],
  read: ({ score: { status, detail } }) =>
    status === "scored"
      ? {
          numbers: numbersOf(detail),
          parts: partsOf(detail),
          counts: {
            [`status ${detail.status}`]: 1,
            [`from ${detail.from}`]: 1,
            ...(detail.truncated && { truncated: 1 }),
          },
        }
      : null,
};

type Part = PartNumbers<ToolsColumn>;

function partsOf({ functions, failures, source }: ToolsDetail): Part[] {
  const parts = new Map<string, Part>();
  const numbersIn = (family: string, name: string) => {
    const key = JSON.stringify([family, name]);
    const part = parts.get(key) ?? { family, name, numbers: noNumbers() };
    parts.set(key, part);
    return part.numbers as Record<ToolsColumn, number>;
  };
  for (const { name, expected, matched } of functions) {
    Object.assign(numbersIn("function", name), { expected, matched });
  }
  for (const failure of failures) {
    numbersIn("function", failure.function)[failure.class]++;
    if (failure.argument === null) continue;
    numbersIn("argument", `${failure.function}(${failure.argument})`)[failure.class]++;
  }
  numbersIn("source", source ?? "(not said)").samples++;
  return [...parts.values()];
}

/**
 * The suite's aggregate: sums over samples by level, failures by function and argument, and the summary
 * they give.
 * Source: docs/spec/tools.md, metrics.
 */
export const toolsAggregate: Aggregator<RunState, ToolsDetail, ToolsOptions> = {
  empty: () => noAnswers(rules),
  add: (state, scored) => addAnswer(rules, state, scored),
  finish: summarize,
};
