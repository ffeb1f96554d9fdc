import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

/** A command in a guide, and the heading above it. */
interface GuideCommand {
  section: string;
  command: string;
}

/** In the order of their execution. */
const guides = ["docs/deployment.md", "docs/troubleshooting.md"];

/** Whether inline code is a command. */
const isCommand = (code: string): boolean => /^(?:npm run|npx|wrangler|rclone) /.test(code);

/** The commands in console blocks and inline code of the guides, without duplicates per section. */
export function guideCommands(): GuideCommand[] {
  const all = guides.flatMap((guide) => commandsOf(readFileSync(join(root, guide), "utf8")));
  return [...new Map(all.map((one) => [`${one.section} › ${one.command}`, one])).values()];
}

function commandsOf(markdown: string): GuideCommand[] {
  return markdown.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf("\n"));
    const found = part.matchAll(/^```console\n(.*?)^```|^```.*?^```|`([^`]+)`/gms);
    return [...found].flatMap(([, block, code = ""]) => {
      const commands = block === undefined ? [oneLine(code)].filter(isCommand) : linesOf(block);
      return commands.map((command) => ({ section, command }));
    });
  });
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The lines after prompts, each with its continuation lines. */
const linesOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.startsWith("$ "))
    .map((line) => line.slice(2));

/** Flags in inline code of the guides. */
export const guideFlags = (): string[] =>
  guides.flatMap((guide) =>
    [...readFileSync(join(root, guide), "utf8").matchAll(/`(--[a-z][\w -]*)`/g)].map(
      ([, flag = ""]) => flag,
    ),
  );

/** Commands and flags that the scene does not run, with the reason. */
export const exempt: Readonly<Record<string, string>> = {
  "npx wrangler login": "it opens a browser at Cloudflare; the rehearsal has a token",
  "npx wrangler tail --config .deploy/assay/api.json":
    "its log uses a web socket, which the stand-in does not have",
  "npm run deploy -- --site-only": "all commands run with --yes, like the command before it",
  "wrangler secret bulk": "npm run deploy calls it",
  "npx assay test-connection --config assay.yaml": "it calls an endpoint, not a deployment",
  "npx assay status RUN": "test/cli runs it",
  "npm run rehearse": "it runs the scenes",
  'npm run rehearse -- "public reads"': "it runs a scene",
  "npm run scale -- --help": "it only calculates",
  "--plan free": "it needs another account: see the scene “the Free plan”",
};
