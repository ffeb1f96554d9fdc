import type { Comparison } from "../../contracts/boards/comparison.ts";
import { canonicalJson } from "../../contracts/content-hash.ts";
import type { Json } from "../../contracts/json.ts";

type Differing = NonNullable<Comparison["differingSettings"]>;

/**
 * The settings in which compared runs differ: interface, inference settings, and each extra body field. Values are JSON
 * without quotes around texts, in the order of the runs; null if not set or unknown. Empty if all are equal.
 * @example differingSettings(comparison.runs)[0] // { setting: "reasoningEffort", values: ["high", "low"] }
 */
export function differingSettings(
  runs: readonly Pick<Comparison["runs"][number], "provenance">[],
): Differing {
  const asked = runs.map(({ provenance: { protocol, settings = {} } }) => {
    const { extraBody = {}, ...others } = settings as Record<string, Json | undefined>;
    const further = Object.entries(extraBody as object).map(([name, its]) => [
      `extraBody.${name}`,
      its,
    ]);
    return { protocol, ...others, ...Object.fromEntries(further) } as Record<
      string,
      Json | undefined
    >;
  });
  const names = [...new Set(asked.flatMap(Object.keys))];
  return names.flatMap((setting) => {
    const values = asked.map((its) => textOf(its[setting]));
    return new Set(values).size < 2 ? [] : [{ setting, values }];
  });
}

const textOf = (value: Json | undefined): string | null => {
  if (value === undefined) return null;
  return typeof value === "string" ? value : canonicalJson(value);
};
