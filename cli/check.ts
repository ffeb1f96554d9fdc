import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./local/root.ts";

const bin = (name: string) => join(root, "node_modules", ".bin", name);

/** Every check, cheapest first; the tests come last, and their summary is the last line. */
const steps: readonly { name: string; command: string[] }[] = [
  { name: "lint and format", command: [bin("biome"), "ci", "."] },
  { name: "types", command: [bin("tsc"), "-b"] },
  {
    name: "types of the site",
    command: [bin("astro"), "check", "--root", "site", "--minimumSeverity", "warning"],
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
  { name: "tests", command: [bin("vitest"), "run", ...process.argv.slice(2)] },
];

for (const { name, command } of steps) {
  console.log(`\n▸ ${name}`);
  const [program = "", ...args] = command;
  const { status } = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", WRANGLER_SEND_METRICS: "false" },
  });
  if (status !== 0) {
    if (name !== "tests") console.error(`\nThe check "${name}" failed.\n\n0 passed, 1 failed`);
    process.exit(1);
  }
}
