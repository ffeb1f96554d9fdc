import type { Comparison } from "../../../contracts/boards/comparison.ts";

/**
 * Differing settings in words; null if there are none. `names`: names of the runs, in their order.
 * @example differingText([{ setting: "seed", values: ["1", null] }], ["a", "b"]) // "Settings that differ: seed 1 (a), not stated (b)."
 */
export function differingText(
  differing: Comparison["differingSettings"] = [],
  names: readonly string[],
): string | null {
  const texts = differing.map(({ setting, values }) => {
    const by = Map.groupBy(names.keys(), (i) => values[i] ?? "not stated");
    const said = [...by].map(([value, at]) => `${value} (${at.map((i) => names[i]).join(", ")})`);
    return `${setting} ${said.join(", ")}`;
  });
  return texts.length === 0 ? null : `Settings that differ: ${texts.join("; ")}.`;
}
