import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../../../cli/command-line/commands.ts";
import { completionScript, shells } from "../../../cli/command-line/completion.ts";
import { assay } from "../support/assay.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, "samples.jsonl"), "");

/** A variable, because knip takes a literal for the name of a package. */
const fish = "fish";

const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;
const scriptOf = (shell: (typeof shells)[number]) => {
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, completionScript(shell, commands));
  return path;
};

describe.each(shells)("the completion script for %s", (shell) => {
  it.runIf(isInstalled(shell))("has valid syntax", () => {
    const { status, stderr } = spawnSync(shell, ["-n", scriptOf(shell)], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });

  it("is printed by assay completion", async () => {
    const { code, stdout } = await assay(folder, ["completion", shell]);
    expect([code, stdout]).toEqual([0, completionScript(shell, commands)]);
  });
});

const cases: [line: string, some: string[]][] = [
  ["assay ver", ["verify"]],
  [
    "assay dataset ",
    [
      "delete",
      "import",
      "list",
      "rules",
      "show",
      "stats",
      "stream",
      "timeline",
      "validate",
      "visibility",
    ],
  ],
  ["assay help keys ", ["create", "list", "revoke"]],
  ["assay score ext", ["extraction"]],
  ["assay score extraction --da", ["--dataset"]],
  ["assay score extraction --dataset sam", ["samples.jsonl"]],
  ["assay dataset list --suite sl", ["slots"]],
  ["assay export run_1 --what every", ["every-eval-ever"]],
  ["assay keys create --scope ", ["admin", "rate", "runner", "submit"]],
  ["assay status run_1 --js", ["--json", "--json-schema"]],
  ["assay mcp --", ["--config", "--help", "--server"]],
  ["assay mcp --config sam", ["samples.jsonl"]],
];

it.runIf(isInstalled("bash")).each(cases)("bash completes %j", (line, expected) => {
  const words = line.split(" ");
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _assay; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ["--norc", "-c", script, "bash", scriptOf("bash"), ...words];
  const { stdout } = spawnSync("bash", args, { cwd: folder, encoding: "utf8" });
  expect(stdout.split("\n").filter(Boolean).sort()).toEqual(expected);
});

it.runIf(isInstalled("fish")).each(cases)("fish completes %j", (line, expected) => {
  const script = `source ${scriptOf("fish")}; complete -C ${JSON.stringify(line)}`;
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
  const { stdout } = spawnSync(fish, ["-c", script], { cwd: folder, encoding: "utf8", env });
  const words = stdout.split("\n").map((one) => one.split("\t")[0]!);
  expect(words.filter(Boolean).sort()).toEqual(expected);
});
