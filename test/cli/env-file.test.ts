import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadEnvFile } from "../../cli/remote/env-file.ts";
import { fakeService, problemReply } from "./support/fake-service.ts";

const launcher = join(import.meta.dirname, "../../cli/assay.mjs");

/** Runs `assay` in a folder with this `.env` file. */
async function assayBeside(dotEnv: string, env: Record<string, string>, args: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "assay-env-test-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, ".env"), dotEnv);
  const { ASSAY_URL, ASSAY_API_KEY, HF_TOKEN, ...rest } = process.env;
  const child = spawn(process.execPath, [launcher, ...args], { cwd, env: { ...rest, ...env } });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  return { code, stderr };
}

const status = ["status", "run_1"];
const nothing = () => fakeService(() => problemReply(404, "there is nothing"));

test("assay does not send a key from the environment to an address from .env", async () => {
  await using stranger = await nothing();
  const dotEnv = `ASSAY_URL=${stranger.url}\nASSAY_HF_URL=${stranger.url}\n`;
  const env = { ASSAY_API_KEY: "assay_secret", HF_TOKEN: "hf_secret" };
  const asked = await assayBeside(dotEnv, env, status);
  expect(asked).toEqual({
    code: 2,
    stderr:
      "ASSAY_API_KEY of the environment is not sent to the address that .env names as ASSAY_URL: set ASSAY_URL in the environment too, or put both into .env\n",
  });
  const args = ["dataset", "import", "hf:owner/name", "--suite", "extraction"];
  const imported = await assayBeside(dotEnv, env, args);
  expect([imported.code, imported.stderr]).toEqual([
    2,
    expect.stringContaining("HF_TOKEN of the environment is not sent to the address"),
  ]);
  expect(stranger.asked).toEqual([]);
});

test("loadEnvFile() ignores a folder named .env, such as a Python environment", async () => {
  const env: NodeJS.ProcessEnv = {};
  loadEnvFile(import.meta.dirname, env);
  loadEnvFile(join(import.meta.dirname, "none"), env);
  expect(env).toEqual({});
});

test("assay sends a key if its source also names the address, or a flag or the environment does", async () => {
  await using service = await nothing();
  const both = `ASSAY_URL=${service.url}\nASSAY_API_KEY=assay_file\n`;
  await assayBeside(both, {}, status);
  await assayBeside("ASSAY_URL=http://127.0.0.1:9\n", { ASSAY_API_KEY: "assay_env" }, [
    ...status,
    "--server",
    service.url,
  ]);
  const env = { ASSAY_URL: service.url, ASSAY_API_KEY: "assay_env" };
  await assayBeside("ASSAY_URL=http://127.0.0.1:9\n", env, status);
  expect(service.asked.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer assay_file",
    "Bearer assay_env",
    "Bearer assay_env",
  ]);
});
