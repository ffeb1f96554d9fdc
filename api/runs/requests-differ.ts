import type { Suite, Unit } from "#shared/contracts/suite.ts";
import { promptHashOf } from "../boards/board-identity.ts";
import type { DatasetIndex } from "../datasets/store.ts";
import { planRun } from "../engine/run-plan.ts";

/** A run's options whole, and as its suite reads them. */
export interface ReadOptions {
  all: Record<string, unknown>;
  own: unknown;
}

/**
 * Whether two sets of options lead to other requests, so that the answers to one are no answers to
 * the other: another plan, prompt or structured-output mode, or another first request of the first
 * unit, whose samples are given. The suite itself says so; no option is known by its name.
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

/** Boards tell modes apart, so a mode is never changed after the fact. */
const modeOf = ({ own }: ReadOptions): unknown =>
  (own as Record<string, unknown>)["structuredOutput"];

/** Options of hybrid targets say who is asked. */
const hybridOf = ({ hybridOptions = [] }: Suite, { own }: ReadOptions): string =>
  JSON.stringify(hybridOptions.map((name) => (own as Record<string, unknown>)[name]));

/** Whether two plans ask the same samples in the same units. */
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
