import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../cli/local/root.ts";

/** A command that a guide names, and the heading above it. */
interface GuideCommand {
  section: string;
  command: string;
}

/** In the order in which they are played. */
const guides = ["docs/deployment.md", "docs/troubleshooting.md"];

/** Code in a sentence that is a command. */
const isCommand = (code: string): boolean => /^(?:npm run|npx|wrangler|rclone) /.test(code);

/** The commands of the guides: lines of console blocks, and code in sentences, each once in a section. */
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

/** What is typed: a line after the prompt, with those that continue it. */
const linesOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.startsWith("$ "))
    .map((line) => line.slice(2));

/** Flags that the guides name in a sentence. */
export const guideFlags = (): string[] =>
  guides.flatMap((guide) =>
    [...readFileSync(join(root, guide), "utf8").matchAll(/`(--[a-z][\w -]*)`/g)].map(
      ([, flag = ""]) => flag,
    ),
  );

/** Commands and flags that the scene does not play, and why. */
export const exempt: Readonly<Record<string, string>> = {
  "npx wrangler login": "it opens a browser at Cloudflare; the rehearsal has a token",
  "npx wrangler tail --config .deploy/assay/api.json":
    "its log comes over a web socket, which the stand-in does not have",
  "npm run deploy -- --site-only": "with --yes, as everything is typed: the command before it",
  "wrangler secret bulk": "npm run deploy calls it",
  "npx assay test-connection --config assay.yaml": "it calls an endpoint, and no deployment",
  "npx assay status RUN": "runs follow their submission; test/cli plays it",
  "npm run rehearse": "it plays the scenes",
  'npm run rehearse -- "public reads"': "it plays a scene",
  "npm run scale -- --help": "it calculates, and deploys nothing",
  "--plan free": "another account: the scene “the Free plan”",
};
