import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoParity } from "../../cli/local/demo-parity.ts";
import { isFreePort } from "../../cli/local/processes.ts";
import { root } from "../../cli/local/root.ts";
import type { Leaderboard } from "../../shared/contracts/boards/leaderboard.ts";
import type { Parity } from "../../shared/contracts/boards/parity.ts";
import { boundsText, figureText } from "../../shared/measures/report/figures/figure-text.ts";
import { suiteById, suites } from "../../shared/suites/registry.ts";
import { livingOf, processTree } from "../support/process-tree.ts";

const port = 9870;
const origin = `http://localhost:${port}`;
/** A copy of the project, so that the tests do not touch this project's data and site. */
const copy = mkdtempSync(join(tmpdir(), "assay-start-"));

beforeAll(() => {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root });
  const files = listed.toString().trim().split("\n");
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  // Shares the Worker's bundle, which takes ten seconds and depends only on the sources.
  const bundles = join(".cache", "worker");
  mkdirSync(join(root, bundles), { recursive: true });
  mkdirSync(join(copy, ".cache"));
  symlinkSync(join(root, bundles), join(copy, bundles));
});

const children: ChildProcess[] = [];

afterAll(async () => {
  for (const { pid = 0, exitCode } of children) {
    if (exitCode === null) for (const one of processTree(pid)) process.kill(one.pid, "SIGKILL");
  }
  rmSync(copy, { recursive: true, force: true });
});

/** Runs `cli/start.ts` in the copy until it prints `text` or ends. */
const start = (args: string[], text: string, at = port) =>
  run(process.execPath, ["cli/start.ts", "--port", `${at}`, ...args], text);

/** The pages that the service shows before the site is built. */
async function earlyPages() {
  const found = await expect
    .poll(
      () =>
        fetch(`${origin}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      {
        timeout: 600_000,
      },
    )
    .toBe(true)
    .then(() => Promise.all(["/", "/leaderboards/"].map((path) => fetch(`${origin}${path}`))));
  return Promise.all(found.map(async (page) => ({ status: page.status, body: await page.text() })));
}

/** Runs a program in the copy until it prints `text` or ends. */
async function run(program: string, args: string[], text: string, env: NodeJS.ProcessEnv = {}) {
  // Its own process group, like a command in a terminal.
  const options = { cwd: copy, detached: true, env: { ...process.env, ...env } };
  const child = spawn(program, args, options);
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

/** Running processes of the copy. */
const leftOvers = () =>
  execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(copy));

const board = async (suite = "extraction") =>
  (await (
    await fetch(`${origin}/v1/leaderboard?suite=${suite}&dataset=stock`)
  ).json()) as Leaderboard;

/** Paths of every page, feed and document that the service serves. */
const allPaths = () => {
  const site = join(copy, ".assay", "site");
  const { name } = JSON.parse(readFileSync(join(site, "newest.json"), "utf8")) as { name: string };
  const files = readdirSync(join(site, name), { recursive: true, encoding: "utf8" });
  const pages = files.filter((file) => /\.(html|xml|json|js)$/.test(file) && file !== "404.html");
  return [
    ...pages.map((file) => `/${file.replace(/(^|\/)index\.html$/, "$1")}`),
    "/no-such-page/",
    "/v1/openapi.json",
  ];
};

/** The expected models of a suite's board, best first. The suite pairs has only one model. */
const trueOrder = (suite: string) =>
  suite === "pairs"
    ? ["demo/sim-judge-a"]
    : ["demo/sim-large", "demo/sim-medium", "demo/sim-small", "demo/sim-tiny"];

describe("npm start", () => {
  let first: Leaderboard;

  it("evaluates the simulated models, ranks them in their true order and prints the links", async () => {
    const started = start(["--no-canaries"], "Ctrl-C stops it");
    const early = await earlyPages();
    const { child, output } = await started;
    // Each printed link answers at once.
    const links = [...output().matchAll(/http:\/\/\S+/g)].map(([link]) => link);
    expect(links).toHaveLength(5 + suites.length);
    for (const link of links) expect((await fetch(link)).status, link).toBe(200);
    for (const { status, body } of early) {
      expect([status, body]).toEqual([503, expect.stringContaining("<h1>One moment</h1>")]);
    }
    // Without a terminal, each run's end is printed once and without control characters.
    const lines = output()
      .split("\n")
      .filter((line) => line.includes("samples"));
    expect(lines.join("\n")).toMatch(/score \d/);
    // A slow machine repeats the summary line as a sign of progress.
    const ends = lines.filter((line) => !line.includes("runs finished"));
    expect(new Set(ends).size).toBe(ends.length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    first = await board();
    for (const { id } of suites) {
      const { entries, simulated } = await board(id);
      const slugs = entries.map(({ model }) => model.slug);
      const thinkers = slugs.filter((slug) => slug.startsWith("demo/sim-reasoning"));
      const others = slugs.filter((slug) => !thinkers.includes(slug));
      expect([id, simulated, others]).toEqual([id, true, trueOrder(id)]);
      // More thinking gives a better rank.
      const efforts = ["demo/sim-reasoning--high-effort", "demo/sim-reasoning--low-effort"];
      expect(thinkers).toEqual(id === "extraction" ? efforts : []);
    }
    for (const { id } of suites) {
      const page = await (await fetch(`${origin}/leaderboards/${id}/stock/`)).text();
      expect(page).toContain("imulated");
      const { entries, headline: ranking } = await board(id);
      const { format } = suiteById(id)!.metrics.find((metric) => metric.id === ranking)!;
      for (const { model, headline } of entries) {
        expect(page).toContain(model.slug);
        expect(page).toContain(figureText(headline.value, format));
        expect(page).toContain(boundsText(headline.interval, format));
      }
    }
    const parity = (await (await fetch(`${origin}/v1/parities/${demoParity}`)).json()) as Parity;
    const [equal, lossy] = parity.hosts.map(({ versus }) => versus);
    expect([equal?.verdict, lossy?.verdict]).toEqual(["equivalent", "worse"]);
    // Host C loses every fifth call, and most samples expect one call.
    expect(lossy?.difference).toBeGreaterThan(-0.26);
    expect(lossy?.difference).toBeLessThan(-0.14);
    const compared = await (await fetch(`${origin}/parity/${demoParity}/`)).text();
    expect(compared).toContain(`>${parity.verdict}</p>`);
    // Pages without results were rendered while the demo was evaluated.
    const log = readFileSync(join(copy, ".assay", "site-build.log"), "utf8");
    expect(log).toMatch(/, kept [1-9]/);
    expect(await stop(child, "SIGINT")).toBe(0);
    await expect.poll(leftOvers).toEqual([]);
  }, 1_800_000);

  it.each([
    ["npm", "SIGTERM", "Starting"],
    ["npm", "SIGHUP", "samples"],
    ["npm", "SIGKILL", "Building"],
    ["the terminal", "SIGINT", "Ctrl-C"],
    ["bootstrap.mjs", "SIGKILL", "Ctrl-C"],
    ["start.ts", "SIGINT", "Building"],
  ] as const)("leaves no process behind when %s gets %s at %j", async (who, signal, at) => {
    const isDemo = at === "samples";
    const args = ["start", "--", "--port", `${port}`, isDemo ? "--fresh" : "--no-demo"];
    // A start without results and without a site.
    const isNew = isDemo || at === "Building";
    const env = isNew ? { ASSAY_FOLDER: join(copy, ".assay-new") } : {};
    const { child, output } = await run("npm", args, at, env);
    const tree = processTree(child.pid ?? 0);
    const isTerminal = who === "the terminal";
    const target = isTerminal
      ? { pid: -(child.pid ?? Number.NaN) }
      : tree.find(({ args }) => args.includes(who) && !args.startsWith("sh "));
    expect(target, output()).toBeDefined();
    const pid = target?.pid ?? Number.NaN;
    const exited = once(child, "exit");
    process.kill(pid, signal);
    if (signal !== "SIGKILL") {
      try {
        process.kill(pid, signal);
      } catch {
        // The process has ended.
      }
    }
    await exited;
    const left = () => livingOf(tree).map(({ args }) => args);
    await expect.poll(left).toEqual([]);
    expect(await isFreePort(port)).toBe(true);
    await expect.poll(leftOvers).toEqual([]);
  });

  it("keeps the results, evaluates nothing again and runs as one process next to the runtime", async () => {
    const begun = performance.now();
    const { child, output } = await start(["--no-canaries"], "Ctrl-C stops it");
    console.info(`a second start takes ${Math.round(performance.now() - begun)} ms`);
    // Progress lines of runs contain "samples".
    expect(output()).not.toContain("samples");
    expect(output()).not.toContain("Building");
    expect((await board()).entries).toEqual(first.entries);
    const { datasets } = (await (await fetch(`${origin}/v1/datasets`)).json()) as {
      datasets: unknown[];
    };
    expect(datasets.length).toBeGreaterThanOrEqual(suites.length);
    const tree = processTree(child.pid ?? 0);
    expect(tree.map(({ args }) => /start\.ts|workerd serve/.exec(args)?.[0])).toEqual([
      "start.ts",
      "workerd serve",
    ]);
    expect(await stop(child, "SIGTERM")).toBe(0);
    await expect.poll(leftOvers).toEqual([]);
  });

  it("shows no address of the earlier port after a start on another port", async () => {
    const other = port + 10;
    const { child } = await start(["--no-canaries"], "Ctrl-C stops it", other);
    // The demo's runs keep the port of the simulator that they called, so that port is allowed.
    const old = new RegExp(`:(${port}|${port + 1}|${port + 2})\\b|assay\\.invalid`, "g");
    const paths = allPaths();
    expect(paths.length).toBeGreaterThan(60);
    const seen = new Set<string>();
    for (const path of paths) {
      const body = await (await fetch(`http://localhost:${other}${path}`)).text();
      expect([path, body.match(old)]).toEqual([path, null]);
      if (body.includes(`http://localhost:${other}`)) seen.add(path.split("/")[1] ?? "");
    }
    const calling = ["guides", "docs", "models", "submit", "datasets", "runs", "feed.xml", "feeds"];
    expect([...seen]).toEqual(expect.arrayContaining(calling));
    const guide = await (await fetch(`http://localhost:${other}/guides/submitting/`)).text();
    expect(guide).toContain(`http://localhost:${other + 3}/v1`);
    // Under another host name, the page shows this name instead of the one at build time.
    const named = await fetch(`http://127.0.0.1:${other}/guides/submitting/`);
    expect(await named.text()).toContain(
      `curl -s -X POST http://127.0.0.1:${other}/v1/submissions`,
    );
    expect(await stop(child, "SIGHUP")).toBe(0);
    await expect.poll(leftOvers).toEqual([]);
  });

  it("reports in one sentence that the port is in use", async () => {
    const server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    const { child, output } = await start([], "\n\n\n");
    server.close();
    expect(child.exitCode).toBe(2);
    expect(output()).toContain(`Port ${port} (the service) is in use`);
    expect(output()).not.toContain("    at ");
  });

  it.each([
    [["--prot", "1"], "unknown flag --prot; did you mean --port?"],
    [["--port", "many"], '--port must be a number from 1 to 65532, not "many"'],
  ])("reports the error in %j", async (args, message) => {
    const { child, output } = await start(args, "\n\n\n\n");
    expect(child.exitCode).toBe(2);
    expect(output()).toContain(message);
    expect(output()).not.toContain("    at ");
  });
});
