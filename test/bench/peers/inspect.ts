import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonl } from "../../cli/support/folder-with.ts";
import { NotHere } from "../bench.ts";
import { type Peer, runCommand } from "./peer.ts";

const VERSION = "0.3.285";
/** Shared with later benches. */
const folder = join(tmpdir(), `assay-bench-inspect-${VERSION}`);
const program = join(folder, "bin", "inspect");

const task = `from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import exact
from inspect_ai.solver import generate


@task
def extraction():
    return Task(dataset=json_dataset("samples.jsonl"), solver=generate(), scorer=exact())
`;

export const inspect: Peer = {
  name: `Inspect ${VERSION}`,
  install() {
    if (existsSync(program)) return;
    const made = spawnSync("python3", ["-m", "venv", folder], { encoding: "utf8" });
    if (made.status !== 0) throw new NotHere("Inspect needs python3 with venv");
    const packages = ["install", "--quiet", `inspect-ai==${VERSION}`, "openai"];
    const { status } = spawnSync(join(folder, "bin", "pip"), packages, { encoding: "utf8" });
    if (status !== 0) throw new NotHere("pip could not install inspect-ai");
  },
  run({ folder: cwd, baseUrl, model, concurrency, bodies, expected }) {
    writeFileSync(join(cwd, "task.py"), task);
    const samples = bodies.map(({ messages }, i) => ({
      input: messages,
      target: JSON.stringify(expected[i]),
    }));
    writeFileSync(join(cwd, "samples.jsonl"), jsonl(samples));
    const options = ["--model", `openai/${model}`, "--model-base-url", baseUrl];
    options.push("--max-connections", `${concurrency}`, "--max-samples", `${concurrency}`);
    return runCommand([program, "eval", "task.py", ...options, "--display", "none"], {
      folder: cwd,
      env: { OPENAI_API_KEY: "any", INSPECT_LOG_DIR: join(cwd, "logs") },
      codes: [0],
    });
  },
};
