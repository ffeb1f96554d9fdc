import { parseArgs } from "node:util";
import { deployScenes } from "./scenes/deploy.ts";
import { loadScenes } from "./scenes/load.ts";
import type { Finding, Outcome, Scene } from "./scenes/scene.ts";

const scenes: readonly Scene[] = [...deployScenes, ...loadScenes];

const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
  allowPositionals: true,
});
const usage = `Deploys Assay to a stand-in of Cloudflare on this machine, with the real wrangler, and uses it there.

  npm run rehearse [-- [--quick] [--json] [part of a scene's name]]

Scenes:
${scenes.map(({ name, isQuick }) => `  ${name}${isQuick ? " (--quick)" : ""}`).join("\n")}`;

interface Played {
  scene: string;
  seconds: number;
  findings: readonly Finding[];
}

async function rehearse(): Promise<number> {
  const wanted = scenes.filter(
    ({ name, isQuick }) =>
      (!values.quick || isQuick) &&
      (positionals.length === 0 || positionals.some((part) => name.includes(part))),
  );
  if (wanted.length === 0) {
    console.error(`There is no such scene.\n\n${usage}`);
    return 2;
  }
  const played: Played[] = [];
  for (const scene of wanted) {
    const one = await playedScene(scene);
    played.push(one);
    if (!values.json) console.log(linesOf(one));
  }
  if (values.json) console.log(JSON.stringify(played, null, 2));
  const failed = played.flatMap(({ findings }) => findings.filter(({ holds }) => !holds));
  if (!values.json) {
    const all = played.reduce((sum, { findings }) => sum + findings.length, 0);
    console.log(`\n${all - failed.length} of ${all} hold.`);
  }
  return failed.length === 0 ? 0 : 1;
}

async function playedScene({ name, play }: Scene): Promise<Played> {
  const begun = performance.now();
  const { findings } = await play().catch(
    (error: unknown): Outcome => ({
      findings: [{ what: "the scene is played to its end", holds: false, seen: String(error) }],
      uses: [],
    }),
  );
  return { scene: name, seconds: Math.round((performance.now() - begun) / 1000), findings };
}

const linesOf = ({ scene, seconds, findings }: Played): string =>
  [
    `\n${scene} (${seconds} s)`,
    ...findings.map(
      ({ what, holds, seen }) =>
        `  ${holds ? "✓" : "✗"} ${what}${seen === undefined ? "" : `\n      seen: ${seen}`}`,
    ),
  ].join("\n");

if (values.help) console.log(usage);
else process.exitCode = await rehearse();
