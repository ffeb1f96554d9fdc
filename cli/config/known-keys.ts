import { runConfigJsonSchema } from "#shared/contracts/run-config.ts";
import type { KeyPath } from "./finding.ts";

interface Described {
  properties?: Record<string, Described>;
  items?: Described;
}

/** The keys that a section of a config can have; empty where it takes any. */
export function knownKeys(path: KeyPath): string[] {
  let at: Described | undefined = runConfigJsonSchema() as Described;
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
  }
  return Object.keys(at?.properties ?? {});
}
