import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./local/root.ts";

const bin = (name: string) => join(root, "node_modules", ".bin", name);

interface Step {
  name: string;
  command: string[];
}

/** Every check, cheapest first, those of one list side by side; the tests, whose summary is last, follow. */
const checks: readonly (readonly Step[])[] = [
  [
    { name: "lint and format", command: [bin("biome"), "ci", "."] },
    { name: "types", command: [bin("tsc"), "-b"] },
  ],
  [
    {
      name: "types of the site",
      command: [bin("astro"), "check", "--root", "site", "--minimumSeverity", "warning"],
    },
    {
      name: "Worker types are up to date",
      command: [
        ...[bin("wrangler"), "types", "api/worker-configuration.d.ts", "--env-interface", "Env"],
        ...["--env", "local", "--strict-vars=false", "--include-runtime=false", "--check"],
      ],
    },
    { name: "unused files, exports and packages", command: [bin("knip")] },
  ],
];

for (const list of checks) {
  const passed = await Promise.all(list.map((step) => passes(step, "pipe")));
  const names = list.filter((_, i) => !passed[i]).map(({ name }) => name);
  if (names.length === 0) continue;
  console.error(`\nFailed: ${names.join("; ")}.\n\n0 passed, ${names.length} failed`);
  process.exit(1);
}
const tests = { name: "tests", command: [bin("vitest"), "run", ...process.argv.slice(2)] };
if (!(await passes(tests, "inherit"))) process.exit(1);

/** Runs a step; what it prints to a pipe is shown once it has ended, so that nothing is mixed up. */
async function passes({ name, command }: Step, output: "pipe" | "inherit"): Promise<boolean> {
  if (output === "inherit") console.log(`\n▸ ${name}`);
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["inherit", output, output],
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false" },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  }
  const [status] = await once(child, "close");
  if (output === "pipe") console.log(`\n▸ ${name}\n${text.trimEnd()}`);
  return status === 0;
}
