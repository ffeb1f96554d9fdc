import type { PlacedFinding } from "./finding.ts";
import { type Plan, planOf } from "./plan.ts";
import { readRunConfig } from "./read-run-config.ts";

/** All that is to say of a config file, by line, and what it asks for. Throws BadInput where it can't be read. */
export function checkConfig(path: string): { plan: Plan | null; findings: PlacedFinding[] } {
  const { config, findings, place } = readRunConfig(path);
  if (config === null) return { plan: null, findings };
  const { plan, findings: more } = planOf(config);
  return { plan, findings: [...findings, ...place(more)].sort((a, b) => a.line - b.line) };
}
