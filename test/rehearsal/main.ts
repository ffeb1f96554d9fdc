import { execFile } from "node:child_process";
import { constants, setPriority } from "node:os";
import { inspect, parseArgs, promisify } from "node:util";
import { cpuSeconds } from "./cpu-seconds.ts";
import { withoutGuards } from "./guards/without-guards.ts";
import { nearest, tableOf } from "./limit-table.ts";
import { type Form, MOST_MINUTES, type Played, record, recordMinutes } from "./record.ts";
import { scenes } from "./scenes/all.ts";
import type { Outcome, Scene } from "./scenes/scene.ts";

/** Parallel scenes, in addition to those that start first. */
const SIDE_BY_SIDE = 4;
/** Additional parallel scenes when no scene needs the processor promptly. */
const MORE_LATER = 2;
const { PRIORITY_ABOVE_NORMAL, PRIORITY_NORMAL, PRIORITY_LOW } = constants.priority;
/** Priority of less urgent scenes: a third of the usual share of the processor. */
const LATER = 5;
/** Priority of large scenes without an order, which would otherwise end last. */
const LARGE = 10;

const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    "without-guards": { type: "boolean", default: false },
    // Runs one scene, by its full name, in this process. The command starts such a process for each scene.
    only: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
  allowPositionals: true,
});
const usage = `Deploys Assay to a local stand-in for Cloudflare with the real wrangler, and uses it there.
Prints the results and the highest use of each platform limit.

  npm run rehearse [-- [--quick] [--json] [--record] [part of a scene's name]]
  npm run rehearse -- --without-guards [part of a limit's name]

  --quick   run only the scenes that npm test also runs
  --json    print the result as JSON
  --record  save the measurements for the site's pages /reliability/ and /performance/
  --without-guards
            remove each guard of a limit in turn, and check that its test then fails

Scenes:
${scenes.map(({ name, isQuick }) => `  ${name}${isQuick ? " (--quick)" : ""}`).join("\n")}`;

async function rehearse(): Promise<number> {
  const wanted = scenes.filter(
    ({ name, isQuick }) =>
      (!values.quick || isQuick) &&
      (positionals.length === 0 || positionals.some((part) => name.includes(part))),
  );
  if (wanted.length === 0) {
    console.error(`No scene matches.\n\n${usage}`);
    return 2;
  }
  const begun = performance.now();
  const played: Played[] = [];
  const play = async (scene: Scene) => {
    const one = await playedApart(scene);
    played.push(one);
    if (values.record) record(one, scene, new Set(scenes.map(({ name }) => name)));
    if (!values.json) console.log(linesOf(one));
  };
  const playing = (order: Scene["plays"]) => wanted.filter(({ plays }) => plays === order);
  const inTurn = async (queue: Scene[]) => {
    for (let one = queue.shift(); one; one = queue.shift()) await play(one);
  };
  const throughout = playing("throughout").map(play);
  await inTurn(playing("alone"));
  // Large scenes start first, since one that started last would run alone at the end.
  const others = playing(undefined).toSorted(
    (a, b) => Number(b.isLarge ?? false) - Number(a.isLarge ?? false),
  );
  const ordered = async () => {
    await inTurn(playing("singly"));
    const first = playing("first").map(play);
    await Promise.all(playing("promptly").map(play));
    await Promise.all([...first, ...Array.from({ length: MORE_LATER }, () => inTurn(others))]);
  };
  await Promise.all([
    ...throughout,
    ordered(),
    ...Array.from({ length: SIDE_BY_SIDE }, () => inTurn(others)),
  ]);
  const limits = nearest(played);
  if (values.json) console.log(JSON.stringify({ scenes: played, limits }, null, 2));
  else console.log(`\n${tableOf(played)}`);
  const failed = played.flatMap(({ findings }) => findings.filter(({ holds }) => !holds));
  const all = played.reduce((sum, { findings }) => sum + findings.length, 0);
  const minutes = (performance.now() - begun) / 60_000;
  const form = formOf(wanted);
  const bound = form === null ? Infinity : MOST_MINUTES[form];
  if (form !== null && failed.length === 0 && values.record) recordMinutes(form, minutes);
  if (!values.json) {
    const most = form === null ? "" : ` (at most ${bound})`;
    console.log(
      `\n${all - failed.length} of ${all} hold, in ${minutes.toFixed(1)} minutes${most}.`,
    );
  }
  return failed.length === 0 && minutes <= bound ? 0 : 1;
}

/** Null for other selections, which have no time limit. */
function formOf({ length }: readonly Scene[]): Form | null {
  if (length === scenes.length) return "whole";
  return values.quick && positionals.length === 0 ? "quick" : null;
}

/** Runs a scene in its own process, so that its memory and CPU time are measured separately. */
async function playedApart({ name, plays, isLarge }: Scene): Promise<Played> {
  const args = [...process.execArgv, process.argv[1]!, "--only", name];
  const options = { maxBuffer: 2 ** 26 };
  try {
    const running = promisify(execFile)(process.execPath, args, options);
    const { pid } = running.child;
    if (pid !== undefined) prioritize(pid, priorityOf(plays, isLarge));
    const { stdout } = await running;
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n{"scene"') + 1)) as Played;
  } catch (error) {
    return { scene: name, seconds: 0, ...unplayed(error) };
  }
}

/** Sets a priority; only administrators may raise it above normal. */
function prioritize(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    setPriority(pid, Math.max(priority, PRIORITY_NORMAL));
  }
}

function priorityOf(plays: Scene["plays"], isLarge = false): number {
  if (plays === undefined) return isLarge ? LARGE : PRIORITY_LOW;
  if (plays === "promptly") return PRIORITY_ABOVE_NORMAL;
  return plays === "throughout" || plays === "first" ? LATER : PRIORITY_NORMAL;
}

async function playedHere(name: string): Promise<number> {
  const scene = scenes.find((one) => one.name === name);
  if (scene === undefined) return 2;
  const begun = performance.now();
  const outcome = await scene.play().catch(unplayed);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const played: Played = { scene: name, seconds, cpuSeconds: cpuSeconds(), ...outcome };
  console.log(`\n${JSON.stringify(played)}`);
  return 0;
}

const unplayed = (error: unknown): Outcome => ({
  findings: [
    {
      what: "the scene runs to its end",
      holds: false,
      seen: inspect(error),
    },
  ],
  loads: [],
  uses: [],
});

const linesOf = ({ scene, seconds, cpuSeconds: cpu = 0, findings }: Played): string =>
  [
    `\n${scene} (${seconds} s, ${cpu} s of CPU time)`,
    ...findings.map(
      ({ what, holds, seen }) =>
        `  ${holds ? "✓" : "✗"} ${what}${seen === undefined ? "" : `\n      seen: ${seen}`}`,
    ),
  ].join("\n");

async function run(): Promise<number> {
  if (values["without-guards"]) return withoutGuards(positionals);
  return values.only === undefined ? rehearse() : playedHere(values.only);
}

if (values.help) console.log(usage);
else process.exitCode = await run();
