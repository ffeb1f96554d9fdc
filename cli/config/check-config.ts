import type { PlacedFinding } from "./finding.ts";
import { idleKeys } from "./idle-keys.ts";
import { planOf } from "./plan.ts";
import { readRunConfig } from "./read-run-config.ts";

/** A file that was checked. */
interface Checked {
  /** What it asks for, in a few words; null where an error is among the findings. */
  summary: string | null;
  findings: PlacedFinding[];
}

/**
 * All that is to say of a config file, by line. What lacks is a warning: flags may give it. Throws BadInput
 * where the file can't be read.
 */
export function checkConfig(path: string): Checked {
  const { config, findings, place } = readRunConfig(path);
  if (config === null) return { summary: null, findings };
  const { findings: more, lacking, plan } = planOf(config);
  const wanted = place(lacking).map((one) => ({ ...one, severity: "warning" as const }));
  const all = [...findings, ...place([...idleKeys(config), ...more]), ...wanted].sort(
    (a, b) => a.line - b.line,
  );
  const isWrong = all.some(({ severity }) => severity === "error");
  return { summary: isWrong ? null : summaryOf(plan), findings: all };
}

function summaryOf(plan: ReturnType<typeof planOf>["plan"]): string {
  if (plan === null) return "with flags for what lacks";
  const { suite, request } = plan;
  const names = request.models.map(({ name }) => name).join(", ");
  return `${suite.id} on ${request.dataset}, ${names}`;
}
