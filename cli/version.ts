import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./local/root.ts";

/** The version of this package. */
export function version(): string {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
