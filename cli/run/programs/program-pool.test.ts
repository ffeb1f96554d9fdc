import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runningProcesses } from "../../local/processes.ts";
import { ProgramPool } from "./program-pool.ts";
import { secretsIn, TargetFailure } from "./target-failure.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that runs `each` for each line; the code reads `line` and answers with `say`. */
const program = (each: string) => `
const say = (value) => process.stdout.write((typeof value === "string" ? value : JSON.stringify(value)) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  ${each}
});`;

let count = 0;
function poolOf(code: string, { processes = 1, linesEach = 1, env = {} } = {}) {
  const file = join(folder, `program-${count++}.cjs`);
  writeFileSync(file, code);
  const own = { ...process.env, ...env };
  const command = `exec "${process.execPath}" "${file}"`;
  const spec = { command, folder, env: own, secrets: secretsIn(env) };
  const pool = new ProgramPool(spec, { processes, linesEach });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.stop() });
}

const never = new AbortController().signal;
const asked = (pool: ProgramPool, line: object, signal = never) =>
  pool.ask(line as never, signal).then(
    ({ answer }) => answer,
    (error: unknown) => error as TargetFailure,
  );

describe("ProgramPool", () => {
  it("distributes lines over the processes and returns each answer to its caller", async () => {
    await using pool = poolOf(
      program(
        `setTimeout(() => say({ id: line.id, text: line.input, pid: process.pid }), line.wait);`,
      ),
      { processes: 3 },
    );
    const lines = Array.from({ length: 9 }, (_, i) => ({
      input: `é ${i}`,
      wait: i % 3 === 0 ? 60 : 5,
    }));
    const answers = await Promise.all(lines.map((line) => asked(pool, line)));
    expect(answers.map((one) => "text" in one && one["text"])).toEqual(
      lines.map(({ input }) => input),
    );
    expect(new Set(answers.map((one) => "pid" in one && one["pid"])).size).toBe(3);
  });

  it("gives a process at most `linesEach` lines, which it may answer in any order", async () => {
    await using pool = poolOf(
      `let open = 0;${program(
        "open += 1; const now = open; setTimeout(() => { open -= 1; say({ id: line.id, text: line.input, now }); }, line.wait);",
      )}`,
      { linesEach: 3 },
    );
    const answers = await Promise.all(
      [90, 60, 30, 1, 1].map((wait) => asked(pool, { input: wait, wait })),
    );
    expect(answers.map((one) => "text" in one && one["text"])).toEqual([90, 60, 30, 1, 1]);
    expect(Math.max(...answers.map((one) => ("now" in one ? Number(one["now"]) : 0)))).toBe(3);
  });

  it.each([
    [
      "process.stderr.write('Traceback: no memory\\n'); process.exit(3);",
      500,
      /ended with code 3; standard error ends with: Traceback: no memory$/,
    ],
    [
      "say('Loading…');",
      502,
      /wrote a line that is not a JSON object: "Loading…"; standard output is for answers/,
    ],
    ["say([1]);", 502, /not a JSON object: "\[1\]"/],
    [
      "say({ id: 'other', text: 'a' });",
      502,
      /wrote an answer to the unknown id "other": repeat the id/,
    ],
    ["say({ id: line.id, text: 'x'.repeat(5 << 20) });", 413, /wrote a line of more than 4 MB/],
    [
      "process.stderr.write('key ' + process.env.MY_KEY); process.exit(1)",
      500,
      /standard error ends with: key …$/,
    ],
  ])("fails the request after %s and answers the next one", async (fault, status, message) => {
    const code = program(
      `if (line.input === "bad") { ${fault} } else say({ id: line.id, text: "good" });`,
    );
    await using pool = poolOf(code, { env: { MY_KEY: "sk-0123456789" } });
    expect(await asked(pool, { input: "fine" })).toMatchObject({ text: "good" });
    const failure = await asked(pool, { input: "bad" });
    expect(failure).toBeInstanceOf(TargetFailure);
    expect(failure).toMatchObject({ status, message: expect.stringMatching(message) });
    expect(await asked(pool, { input: "fine" })).toMatchObject({ text: "good" });
  });

  it("kills a process and its children after an abort, and ignores late answers", async () => {
    const pids = join(folder, "pids");
    await using pool = poolOf(
      program(`if (line.input === "slow") {
        const child = require("node:child_process").spawn("sleep", ["60"]);
        require("node:fs").writeFileSync(${JSON.stringify(pids)}, process.pid + " " + child.pid);
      } else say({ id: line.id, text: "good" });`),
    );
    const given = new AbortController();
    const slow = asked(pool, { input: "slow" }, given.signal);
    await expect.poll(() => existsSync(pids) && readFileSync(pids, "utf8")).toMatch(/^\d+ \d+$/);
    given.abort(new TargetFailure(408, "did not answer"));
    const next = asked(pool, { input: "fine" });
    expect(await slow).toMatchObject({
      status: 408,
      message: expect.stringContaining("did not answer"),
    });
    expect(await next).toMatchObject({ text: "good" });
    const [leader = 0] = readFileSync(pids, "utf8").split(" ").map(Number);
    await expect.poll(() => runningProcesses(-leader)).toEqual([]);
  });

  it("restarts a program that ends after each answer", async () => {
    await using pool = poolOf(program("say({ text: line.input }); process.exit(0);"));
    for (const input of ["a", "b"])
      expect(await asked(pool, { input })).toMatchObject({ text: input });
  });

  it("gives up on a program that ends without answers", async () => {
    await using pool = poolOf("process.stdin.once('data', () => process.exit(9));");
    const failures = [];
    for (let i = 0; i < 4; i++) failures.push(await asked(pool, {}));
    expect(failures.map((one) => (one as TargetFailure).status)).toEqual([500, 500, 500, 424]);
  });

  it("start() fails with the reason if the command cannot be run", async () => {
    const spec = { command: "no-such-program --key", folder, env: process.env, secrets: [] };
    const pool = new ProgramPool(spec, { processes: 2, linesEach: 1 });
    await expect(pool.start()).rejects.toThrow(
      /^no-such-program --key ended with code 127; .*not found/,
    );
    await pool.stop();
  });

  it("stop() lets programs finish after the end of their input", async () => {
    const ended = join(folder, "ended");
    const pool = poolOf(
      `process.stdin.on("end", () => require("node:fs").writeFileSync(${JSON.stringify(ended)}, "")).resume();`,
    );
    await pool.start();
    await pool.stop();
    expect(existsSync(ended)).toBe(true);
  });

  it("stop() kills programs that end neither with their input nor on SIGTERM", async () => {
    const pid = join(folder, "stubborn");
    const pool = poolOf(`
process.on("SIGTERM", () => {});
setInterval(() => {}, 1_000);
require("node:fs").writeFileSync(${JSON.stringify(pid)}, String(process.pid));`);
    await pool.start();
    await expect.poll(() => existsSync(pid) && readFileSync(pid, "utf8")).toMatch(/^\d+$/);
    const leader = Number(readFileSync(pid, "utf8"));
    expect(runningProcesses(-leader)).toHaveLength(1);
    await pool.stop();
    await expect.poll(() => runningProcesses(-leader)).toEqual([]);
  });
});
