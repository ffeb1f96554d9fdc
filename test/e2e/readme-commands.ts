import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

/** Texts whose commands build upon each other, in that order. */
const texts = ["README.md", "docs/submitting.md", "docs/judging.md", "docs/schedules.md"];

/** The shell blocks of the README and the guides that call the service, in order. */
export function readmeCommands(): string[] {
  return texts.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
    return blocks.filter((block) => block.startsWith("curl"));
  });
}
