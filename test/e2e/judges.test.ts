import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import { type Simulator, startSimulator } from "../../simulator/start-simulator.ts";
import { ran } from "./ran.ts";

const key = "sk-home-0123456789";
const port = "9940";
const folder = mkdtempSync(join(tmpdir(), "assay-judges-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in for the providers. `ends`: the day on which Anthropic's judge is retired. */
const providers = (ends?: string): Promise<Simulator> =>
  startSimulator({
    latencyScale: 0,
    apiKey: key,
    datasets: globSync(join(root, "shared", "suites", "memory", "stock.jsonl")),
    aliases: {
      "claude-opus-5-5": { model: "sim-judge-c", ...(ends && { ends }) },
      "gpt-6-luna": { model: "sim-judge-a" },
      "gpt-6.1-terra": { model: "sim-judge-a?seed=2", ends: "2100-01-01" },
      "gemini-3.8-flash": { model: "sim-judge-c?seed=2" },
      "text-embedding-3-small": { model: "sim-embedding" },
    },
  });

/** Runs `assay` with its own service in a folder whose `.env` has the keys. */
function assay({ url }: Pick<Simulator, "url">, args: readonly string[], more: object = {}) {
  const names = ["OPENAI", "ANTHROPIC", "GEMINI"];
  const keys = names.map((name) => `${name}_API_KEY=${key}`);
  const addresses = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"];
  const lines = [...keys, ...addresses.map((name) => `${name}=${url}`)];
  writeFileSync(join(folder, ".env"), lines.join("\n"));
  const { OPENAI_API_KEY: _, ANTHROPIC_API_KEY: __, ...rest } = process.env;
  const env = { ...rest, ASSAY_JUDGES: "", ASSAY_FOLDER: folder, ASSAY_PORT: port, ...more };
  const program = join(root, "cli", "assay.mjs");
  return ran(process.execPath, [program, ...args], { cwd: folder, env });
}

const runOf = ({ baseUrl }: Simulator, more: readonly string[] = []) => [
  "run",
  "memory",
  "--model",
  "sim-small",
  "--base-url",
  baseUrl,
  "--api-key-env",
  "OPENAI_API_KEY",
  "--dataset",
  "stock",
  "--sample",
  "4",
  "--json",
  ...more,
];

describe("assay run with provider keys", () => {
  it("names the judges and the number of judgments, and calls each provider's own interface", async () => {
    await using simulator = await closing(providers());
    const { status, stdout, stderr } = await assay(simulator, runOf(simulator));
    expect(stderr).toMatch(
      /judges: claude-opus-5-5, text-embedding-3-small, gpt-6-luna, gpt-6\.1-terra, gemini-3\.8-flash; at most 48 judgments, no price known/,
    );
    expect(status, stderr).toBe(0);
    expect(JSON.stringify(JSON.parse(stdout))).not.toContain(key);
    const paths = new Set(simulator.log.entries.map(({ path }) => path.replace(/\?.*/, "")));
    expect([...paths]).toEqual(
      expect.arrayContaining([
        "/v1/messages",
        "/v1/embeddings",
        "/v1/chat/completions",
        "/v1beta/models/gemini-3.8-flash:streamGenerateContent",
      ]),
    );
  });

  it("reports that the fallback judged because the provider no longer has the model", async () => {
    await using simulator = await closing(providers("2026-01-01"));
    const { status, stdout, stderr } = await assay(simulator, runOf(simulator, ["--seed", "7"]));
    expect(status, stderr).toBe(0);
    expect(stdout).toContain(
      "the endpoint of anthropic has no model claude-opus-5-5: Safety is judged instead by the fallback, gpt-6.1-terra",
    );
  });

  it("simulates the judges with ASSAY_JUDGES=simulated", async () => {
    await using simulator = await closing(providers());
    const { status, stderr } = await assay(simulator, runOf(simulator), {
      ASSAY_JUDGES: "simulated",
    });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("judges: simulated");
    expect(simulator.log.entries.every(({ path }) => path === "/v1/chat/completions")).toBe(true);
  });

  it("does not send a key from the environment to an address from a .env file", async () => {
    await using simulator = await closing(providers());
    const { status, stderr } = await assay(simulator, runOf(simulator), {
      OPENAI_API_KEY: "sk-own",
    });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("OPENAI_API_KEY of the environment is not sent to the address"),
    ]);
  });
});

/** Makes the simulator close at the end of a test. */
async function closing(started: Promise<Simulator>) {
  const simulator = await started;
  return Object.assign(simulator, { [Symbol.asyncDispose]: () => simulator.close() });
}
