import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotHere } from "../bench.ts";
import { type AskedOfPeer, type Peer, runCommand } from "./peer.ts";

const VERSION = "0.123.1";
/** Shared with later benches. */
const folder = join(tmpdir(), `assay-bench-promptfoo-${VERSION}`);
const program = join(folder, "node_modules", "promptfoo", "dist", "src", "entrypoint.js");
/** Exit codes for a run without errors, and for one with wrong answers. */
const CODES = [0, 100];

export const promptfoo: Peer = {
  name: `promptfoo ${VERSION}`,
  install() {
    if (existsSync(program)) return;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    const args = ["install", `promptfoo@${VERSION}`, "--no-audit", "--no-fund", "--ignore-scripts"];
    const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new NotHere(`npm could not install promptfoo: ${stderr.slice(-500)}`);
  },
  run(asked) {
    const config = join(asked.folder, "promptfooconfig.json");
    writeFileSync(config, JSON.stringify(configOf(asked)));
    const options = ["--no-cache", "--no-table", "--no-progress-bar"];
    const command = ["eval", "-c", config, "-j", `${asked.concurrency}`, ...options];
    return runCommand([process.execPath, program, ...command], {
      folder: asked.folder,
      env: {
        OPENAI_API_KEY: "any",
        PROMPTFOO_CONFIG_DIR: asked.folder,
        PROMPTFOO_DISABLE_TELEMETRY: "1",
        PROMPTFOO_DISABLE_UPDATE: "1",
        // Otherwise promptfoo sometimes writes to a closed log and exits with an error.
        PROMPTFOO_DISABLE_DEBUG_LOG: "1",
        PROMPTFOO_DISABLE_ERROR_LOG: "1",
      },
      codes: CODES,
    });
  },
};

const configOf = ({ baseUrl, model, bodies, expected }: AskedOfPeer) => ({
  prompts: ["{{messages}}"],
  providers: [{ id: `openai:chat:${model}`, config: { apiBaseUrl: baseUrl } }],
  tests: bodies.map(({ messages, response_format }, i) => ({
    vars: { messages: JSON.stringify(messages) },
    options: { response_format },
    assert: [{ type: "equals", value: expected[i] }],
  })),
});
