import { Readable } from "node:stream";
import { afterAll, expect, it, vi } from "vitest";
import { runAssay } from "../../../cli/command-line/run-assay.ts";
import { gathering } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { answers, samples } from "../support/three-samples.ts";

const folder = folderWith({ "samples.jsonl": samples, "answers.jsonl": answers });
afterAll(folder.dispose);

const cases: [output: string, isTTY: boolean, env: Record<string, string>, colored: boolean][] = [
  ["a terminal", true, {}, true],
  ["a pipe", false, {}, false],
  ["a terminal with NO_COLOR", true, { NO_COLOR: "1" }, false],
  ["a pipe with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
];

it.each(cases)(
  "assay score prints colours on a terminal, NO_COLOR and FORCE_COLOR override: %s",
  async (_, isTTY, env, colored) => {
    for (const name of ["NO_COLOR", "FORCE_COLOR"]) vi.stubEnv(name, env[name]);
    const { stream, text } = gathering();
    // Same results as tty.WriteStream.
    const getColorDepth = () => (process.env["NO_COLOR"] ? 1 : 8);
    const stdout = Object.assign(stream, { isTTY, getColorDepth });
    const args = ["score", "extraction", "--dataset", `${folder.path}/samples.jsonl`];
    const stdin = Readable.from([]);
    const terminal = { stdin, stdout, stderr: stdout };
    const code = await runAssay([...args, "--answers", `${folder.path}/answers.jsonl`], terminal);
    expect([code, text().includes("\x1b[")]).toEqual([0, colored]);
  },
);
