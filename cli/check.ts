import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./local/root.ts";

const bin = (name: string) => join(root, "node_modules", ".bin", name);
/** TypeScript 7 takes a third of the time; Astro and the OpenAPI types need the API of TypeScript 6. */
const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");

/** Space that tests need in the memory folder at the same time, including a browser. */
const MEMORY_BYTES = 1.5 * 2 ** 30;

interface Step {
  name: string;
  command: string[];
  env?: Record<string, string>;
}

/**
 * All checks, which run in parallel, because most use one core. Tests run afterwards, so that their summary is last.
 */
const checks: readonly Step[] = [
  // More checkers, which each read the shared types again, and the default GOGC would take two thirds more time.
  { name: "types", command: [tsc, "-b", "--checkers", "1"], env: { GOGC: "400" } },
  { name: "lint and format", command: [bin("biome"), "ci", "."] },
  {
    name: "types of the site's pages",
    // The first step checks the site's other files in a tenth of the time.
    command: [
      bin("astro"),
      "check",
      "--root",
      "site",
      "--tsconfig",
      "tsconfig.astro.json",
      "--minimumSeverity",
      "warning",
    ],
  },
  {
    name: "Worker types are up to date",
    command: [
      bin("wrangler"),
      "types",
      "api/worker-configuration.d.ts",
      "--env-interface",
      "Env",
      "--env",
      "local",
      "--strict-vars=false",
      "--include-runtime=false",
      "--check",
    ],
  },
  { name: "unused files, exports and packages", command: [bin("knip")] },
];

/** The end of the test report: a line for each failed test, and the counts. */
const failedLine = /^FAILED .+$/gm;
const closingLine = /^(\d+) passed, (\d+) failed$/gm;

const checked = await Promise.all(checks.map((step) => run(step, "pipe")));
const broken = checks.filter((_, i) => checked[i]?.status !== 0).map(({ name }) => name);
if (broken.length > 0) {
  console.error(`\nFailed: ${broken.join("; ")}.\n\n0 passed, ${broken.length} failed`);
  process.exit(1);
}
const vitest = (...args: string[]) => [bin("vitest"), "run", ...args];
const chosen = process.argv.slice(2);
/** The lists run in parallel, the steps of a list in sequence, because end-to-end tests wait half of the time. */
const tests: readonly (readonly Step[])[] =
  chosen.length > 0
    ? [[{ name: "tests", command: vitest(...chosen) }]]
    : [
        [
          {
            name: "end-to-end tests",
            command: vitest("--project", "whole"),
            env: { TMPDIR: memoryFolder() },
          },
        ],
        [
          { name: "unit tests", command: vitest("--project", "unit") },
          {
            name: "tests in the Worker",
            command: vitest("--project", "worker"),
            // There are more processes than cores, so V8's threads for garbage collection and compilation cost a tenth
            // more time.
            env: { TMPDIR: memoryFolder(), MINIFLARE_WORKERD_V8_FLAGS: "--single-threaded" },
          },
        ],
      ];
const ran: Ran[] = [];
await Promise.all(
  tests.map(async (list, i) => {
    for (const step of list) ran.push(await run(step, i === 0 ? "live" : "pipe"));
  }),
);
const counts = ran.map(({ text }) => [...text.matchAll(closingLine)].at(-1) ?? [0, 0, 1]);
const [passed, failed] = [1, 2].map((at) => counts.reduce((sum, one) => sum + Number(one[at]), 0));
// Repeated at the end, where failures are easy to find.
const failedLines = ran.flatMap(({ text }) => text.match(failedLine) ?? []);
console.log(`\n${[...failedLines, `${passed} passed, ${failed} failed`].join("\n")}`);
// Output may not have been written yet.
if (ran.some(({ status }) => status !== 0)) process.exitCode = 1;

interface Ran {
  status: number | null;
  text: string;
}

/**
 * A folder in memory. On a disk, each write of a database waits for the disk, and a new file takes eight
 * times as much processor time: tests copy the project's files several times.
 */
function memoryFolder(): string {
  const folder = "/dev/shm";
  if (!existsSync(folder)) return tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MEMORY_BYTES ? folder : tmpdir();
}

/** Runs a step; its output is shown at once, or at its end if steps run in parallel. */
async function run({ name, command, env }: Step, output: "pipe" | "live"): Promise<Ran> {
  if (output === "live") console.log(`\n▸ ${name}`);
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["inherit", "pipe", "pipe"],
    env: {
      ...process.env,
      ...env,
      ASTRO_TELEMETRY_DISABLED: "1",
      WRANGLER_SEND_METRICS: "false",
      // The tests start many programs that take a second or more to compile.
      NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
    },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
      if (output === "live") process.stdout.write(chunk);
    });
  }
  const [status] = (await once(child, "close")) as [number | null];
  if (output === "pipe") console.log(`\n▸ ${name}\n${text.trimEnd()}`);
  return { status, text };
}
