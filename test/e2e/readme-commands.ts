import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

/** The shell blocks of the README that call the service, in order. */
export function readmeCommands(): string[] {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
  return blocks.filter((block) => block.startsWith("curl"));
}
