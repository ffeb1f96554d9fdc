import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../cli/local/root.ts";

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };
const locked = Object.entries(packages).filter(([path]) => path !== "");

/** Whether a package is not for Linux on x64 with glibc, the system of jobs and deployments. */
const isElsewhere = ({ optional, os, cpu, libc }: Locked): boolean =>
  optional === true &&
  [os?.includes("linux"), cpu?.includes("x64"), libc?.includes("glibc")].includes(false);

it("every locked package that jobs and deployments install has an integrity hash", () => {
  const without = locked.filter(
    ([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
  );
  expect(without.filter(([, one]) => !isElsewhere(one)).map(([path]) => path)).toEqual([]);
  // Binaries for other systems, which the registry did not serve at the time of locking.
  const security = readFileSync(join(root, "SECURITY.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(security).toContain(`${without.length} of which are in the lock without a hash`);
});

it("the lockfile names no registry", () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(text).not.toMatch(/registry\.|\.tgz/);
});

/** Runs the launcher in its own folder with a stand-in for npm that only records its calls. */
function startedWith(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "assay-install-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, "bin");
  for (const name of ["cli", "bin"]) mkdirSync(join(folder, name));
  cpSync(join(root, "cli", "bootstrap.mjs"), join(folder, "cli", "bootstrap.mjs"));
  writeFileSync(join(folder, "package-lock.json"), '{"packages":{}}');
  const npm = `#!/bin/sh\necho "$@" >> ${folder}/calls\nenv >> ${folder}/env\necho "npm error it is https://me:hunter2@r.example" >&2\nexit $NPM_FAILS\n`;
  writeFileSync(join(bin, "npm"), npm);
  chmodSync(join(bin, "npm"), 0o755);
  const path = `${bin}${delimiter}${process.env["PATH"]}`;
  spawnSync(process.execPath, [join(folder, "cli", "bootstrap.mjs"), "x.mjs"], {
    env: { ...process.env, PATH: path, ...env },
  });
  return { folder, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

it("the launcher installs without scripts, except Node's own, and without keys in the environment", () => {
  const secrets = Object.fromEntries(
    [
      "CLOUDFLARE_API_TOKEN",
      "SECRETS_KEY",
      "SECRETS_KEY_PREVIOUS",
      "SIGNING_KEY",
      "OPERATOR_SECRET",
      "JUDGE_KEY_OPENAI",
      "SITE_REBUILD_TOKEN",
      "ALERT_WEBHOOK_SECRET",
      "ASSAY_API_KEY",
      "MODEL_API_KEY",
      "HF_TOKEN",
      "OPENAI_API_KEY",
      "GITHUB_TOKEN",
    ].map((name) => [name, "a-secret"]),
  );
  const { read } = startedWith({ ...secrets, NPM_FAILS: "0", NPM_CONFIG_PREFIX: "/kept" });
  expect(read("calls").trim().split("\n")).toEqual([
    expect.stringMatching(/^ci --ignore-scripts /),
    expect.stringMatching(/^rebuild node /),
  ]);
  expect(read("env")).toContain("/kept");
  expect(read("env")).not.toContain("a-secret");
});

it("only the owner can read the log of a failed install", () => {
  const { folder } = startedWith({ NPM_FAILS: "1" });
  expect(statSync(join(folder, ".cache")).mode & 0o077).toBe(0);
  expect(statSync(join(folder, ".cache", "install.log")).mode & 0o077).toBe(0);
});
