import type { Unit } from "#shared/contracts/runs/unit.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { promptHashOf } from "../boards/board-identity.ts";
import type { DatasetIndex } from "../datasets/store.ts";
import { planRun } from "../engine/run-plan.ts";

export interface ReadOptions {
  all: Record<string, unknown>;
  own: unknown;
}

/**
 * Whether two sets of options lead to different requests, so that stored answers don't fit: another plan, prompt or
 * structured-output mode, or another first request of the first unit (its samples are given). The suite decides; no
 * option is known by name here.
 */
export function requestsDiffer(
  suite: Suite,
  index: DatasetIndex,
  samples: readonly unknown[],
  a: ReadOptions,
  b: ReadOptions,
): boolean {
  if (promptHashOf(suite, a.own) !== promptHashOf(suite, b.own)) return true;
  if (modeOf(a) !== modeOf(b) || hybridOf(suite, a) !== hybridOf(suite, b)) return true;
  const plans = [a, b].map(({ all, own }) => planRun(suite, index, all, own));
  if (!areSameUnits(plans[0]?.units ?? [], plans[1]?.units ?? [])) return true;
  const [first, second] = [a, b].map(({ own }) =>
    JSON.stringify(suite.next({ samples, options: own, repeat: 0 }, [])),
  );
  return first !== second;
}

/** Boards depend on the mode, so it must never change. */
const modeOf = ({ own }: ReadOptions): unknown =>
  (own as Record<string, unknown>)["structuredOutput"];

/** For hybrid targets, options decide which endpoint is called. */
const hybridOf = ({ hybridOptions = [] }: Suite, { own }: ReadOptions): string =>
  JSON.stringify(hybridOptions.map((name) => (own as Record<string, unknown>)[name]));

/** Whether two plans have the same samples in the same units. */
export function areSameUnits(a: readonly Unit[], b: readonly Unit[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((unit, i) => {
    const other = b[i];
    return (
      other !== undefined &&
      unit.repeat === other.repeat &&
      unit.samples.length === other.samples.length &&
      unit.samples.every((sample, j) => sample === other.samples[j])
    );
  });
}
