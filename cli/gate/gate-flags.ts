import { type Margins, readMargins } from "#shared/measures/comparison/margin-tests.ts";
import type { GateRules } from "#shared/measures/gates/gated-runs.ts";
import { valueFlag } from "../command-line/command.ts";
import { BadInput } from "../errors.ts";
import { type GateOutputs, gateOutputs } from "./gate-outputs.ts";

/** Same minimum share of scored samples as for a rank. */
const USUAL_SHARE = "0.95";

const section = "Gate";

/** Flags of commands that compare a run with a baseline. */
export const gateFlags = {
  "non-inferior": valueFlag(
    "METRIC=N",
    "Exit with 1 unless METRIC is shown to be less than N worse than the baseline, such as eqs=0.02; separate several by commas",
    { multiple: true, section },
  ),
  "min-sample-share": valueFlag(
    "SHARE",
    "Minimum share of the samples that must have a score in both runs, 0 to 1",
    { default: USUAL_SHARE, section },
  ),
  summary: valueFlag(
    "FILE",
    "Append the gate's result to FILE as Markdown, such as $GITHUB_STEP_SUMMARY",
    { section },
  ),
  "pr-comment": {
    type: "boolean",
    help: "In a GitHub job for a pull request: write the result to one comment, which later runs update",
    section,
  },
  annotations: {
    type: "boolean",
    help: "Print GitHub annotations for missed margins, and for the samples that score worse",
    section,
  },
} as const;

/** Variables that `--pr-comment` reads. */
export const gateEnvironment = {
  GITHUB_TOKEN: "For --pr-comment: a token with the permission pull-requests: write",
} as const;

interface GateValues {
  "non-inferior"?: string[] | undefined;
  "min-sample-share"?: string | undefined;
  summary?: string | undefined;
  "pr-comment"?: boolean | undefined;
  annotations?: boolean | undefined;
}

/** The rules and outputs of a gate; null without `--non-inferior`. Throws BadInput. */
export function gateOfFlags(values: GateValues): { rules: GateRules; outputs: GateOutputs } | null {
  const { "non-inferior": given = [], "min-sample-share": share = USUAL_SHARE } = values;
  if (given.length === 0) {
    const others = ["min-sample-share", "summary", "pr-comment", "annotations"] as const;
    const other = others.find((name) => values[name] !== undefined);
    if (other === undefined) return null;
    throw new BadInput(`--${other} needs --non-inferior METRIC=N, such as eqs=0.02`);
  }
  const minSampleShare = Number(share);
  if (share.trim() === "" || !(minSampleShare >= 0 && minSampleShare <= 1)) {
    throw new BadInput(`--min-sample-share must be a share from 0 to 1, not "${share}"`);
  }
  const { summary = null, annotations = false, "pr-comment": comment = false } = values;
  return {
    rules: { margins: marginsOf("--non-inferior", given), minSampleShare },
    outputs: gateOutputs({ summary, annotations, comment }, process.env),
  };
}

/** Margins by metric from a flag; empty without the flag. Throws BadInput. */
export function marginsOf(flag: string, given: readonly string[]): Margins {
  if (given.length === 0) return new Map();
  const read = readMargins(given.join(","));
  if (read.ok) return read.value;
  throw new BadInput(
    `${flag} must be METRIC=N with a margin N above 0, such as eqs=0.02; several: commas, each metric once; not "${given.join(",")}"`,
  );
}
