import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";
import type { Leaderboard } from "../../shared/contracts/leaderboard.ts";
import { figureText, intervalText } from "../../shared/measures/report/figure-text.ts";
import { suiteById, suites } from "../../shared/suites/registry.ts";

const port = 9870;
const origin = `http://localhost:${port}`;
/** A copy of the project, so that starting it touches no data and no site of this one. */
const copy = mkdtempSync(join(tmpdir(), "assay-start-"));

beforeAll(() => {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root });
  const files = listed.toString().trim().split("\n");
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});

const children: ChildProcess[] = [];

afterAll(async () => {
  for (const child of children) if (child.exitCode === null) await stop(child, "SIGINT");
  rmSync(copy, { recursive: true, force: true });
});

/** Runs `cli/start.ts` in the copy until it prints `text` or ends. */
async function start(args: string[], text: string) {
  const child = spawn(process.execPath, ["cli/start.ts", "--port", `${port}`, ...args], {
    cwd: copy,
  });
  children.push(child);
  let output = "";
  const done = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
        if (output.includes(text)) resolve();
      });
    }
    child.once("exit", () => resolve());
  });
  await done;
  return { child, output: () => output };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals) {
  const exited = once(child, "exit");
  child.kill(signal);
  const [code] = await exited;
  return code;
}

/** Processes of the copy that are still there. */
const leftOvers = () =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(copy));

/** Leaders of the process groups: the API's Worker, the site's, the simulator. */
const leaders = () =>
  JSON.parse(readFileSync(join(copy, ".assay", "processes.json"), "utf8")) as number[];

const board = async (suite = "extraction") =>
  (await (
    await fetch(`${origin}/v1/leaderboard?suite=${suite}&dataset=stock`)
  ).json()) as Leaderboard;

const isShown = () =>
  fetch(`${origin}/leaderboards/extraction/stock/`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

describe("npm start", () => {
  let first: Leaderboard;

  it("evaluates the simulated models, finds their true order and shows the links", async () => {
    const { child, output } = await start(["--no-canaries"], "Ctrl-C stops it");
    first = await board();
    for (const { id } of suites) {
      const { entries, simulated } = await board(id);
      expect([id, simulated, ...entries.map(({ rank, model }) => `${rank} ${model.slug}`)]).toEqual(
        [
          ...[id, true, "1 demo/sim-large", "2 demo/sim-medium", "3 demo/sim-small"],
          "4 demo/sim-tiny",
        ],
      );
    }
    const links = [...output().matchAll(/http:\/\/\S+/g)].map(([link]) => link);
    expect(links).toHaveLength(4 + suites.length);
    for (const link of links) expect((await fetch(link)).status, link).toBe(200);
    for (const { id } of suites) {
      const page = await (await fetch(`${origin}/leaderboards/${id}/stock/`)).text();
      expect(page).toContain("imulated");
      const { entries, headline: ranking } = await board(id);
      const { format } = suiteById(id)!.metrics.find((metric) => metric.id === ranking)!;
      for (const { model, headline } of entries) {
        expect(page).toContain(model.slug);
        expect(page).toContain(figureText(headline.value, format));
        expect(page).toContain(intervalText(headline.interval, format));
      }
    }
    expect(await stop(child, "SIGINT")).toBe(0);
    await expect.poll(leftOvers, { timeout: 10_000 }).toEqual([]);
  });

  it("keeps what was there, evaluates nothing again and outlives its site's Worker", async () => {
    const { child, output } = await start(["--no-canaries"], "Ctrl-C stops it");
    // Runs that are followed are shown by their samples.
    expect(output()).not.toContain("samples");
    expect((await board()).entries).toEqual(first.entries);
    const [, site = 0] = leaders();
    process.kill(-site, "SIGKILL");
    const said = /The site's Worker ended \(SIGKILL\).* started again \(1 of 5\)/;
    await expect.poll(output, { timeout: 10_000 }).toMatch(said);
    expect((await board()).entries).toEqual(first.entries);
    await expect.poll(() => leaders()[1], { timeout: 10_000 }).not.toBe(site);
    await expect.poll(isShown, { timeout: 90_000, interval: 500 }).toBe(true);
    expect(await stop(child, "SIGTERM")).toBe(0);
    await expect.poll(leftOvers, { timeout: 10_000 }).toEqual([]);
  });

  it("says in a sentence that the port is taken", async () => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    const { child, output } = await start([], "\n\n\n");
    server.close();
    expect(child.exitCode).toBe(1);
    expect(output()).toContain(`Port ${port} (the service) is taken`);
    expect(output()).not.toContain("    at ");
  });

  it.each([
    [["--prot", "1"], "Unknown option '--prot'"],
    [["--port", "many"], '--port takes a number from 1 to 65532, not "many"'],
  ])("says what is wrong with %j", async (args, message) => {
    const { child, output } = await start(args, "\n\n\n\n");
    expect(child.exitCode).toBe(1);
    expect(output()).toContain(message);
    expect(output()).not.toContain("    at ");
  });
});
