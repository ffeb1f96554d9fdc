import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { afterAll, describe, expect, it } from "vitest";
import { extraction } from "../../../shared/suites/extraction/suite.ts";
import { aModel, aRun } from "../../browser/fixtures/fixture-runs.ts";
import { assay } from "../support/assay.ts";
import { good, poor, samples } from "../support/compared-rows.ts";
import { fakeService, problemReply, type Reply } from "../support/fake-service.ts";
import { folderWith } from "../support/folder-with.ts";

const names = { run_a: "acme/good", run_b: "acme/<b>poor|</b>" };
const folder = folderWith({
  "samples.jsonl": samples,
  "run_a.jsonl": good,
  "run_b.jsonl": poor,
});
const at = (name: string) => join(folder.path, name);
afterAll(folder.dispose);

/** A service's reply: the offline comparison of two files, with names of runs. */
async function comparison() {
  const files = ["--answers", "run_a.jsonl", "--answers", "run_b.jsonl"];
  const args = ["compare", "extraction", "--dataset", "samples.jsonl", ...files, "--json"];
  const value = JSON.parse((await assay(folder.path, args)).stdout);
  for (const one of value.runs) one.model.slug = names[one.run as keyof typeof names];
  return value;
}

async function compared(replies: Reply[], ...more: string[]) {
  await using service = await fakeService(
    () => replies.shift() ?? problemReply(404, "nothing is left"),
  );
  const args = ["compare", "--runs", "run_a,run_b", "--server", service.url, ...more];
  const outcome = await assay(folder.path, args);
  return { ...outcome, asked: service.asked.map(({ call }) => call) };
}

describe("assay compare --runs", () => {
  it("waits until the service has compared the runs, and shows them by model name", async () => {
    const running = { status: 202, headers: { "retry-after": "1" }, body: { status: "running" } };
    const { code, stdout, stderr, asked } = await compared([running, { body: await comparison() }]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(asked).toEqual(Array(2).fill("GET /v1/compare?runs=run_a%2Crun_b"));
    expect(stdout).toMatch(/^acme\/good +0\.938 +/m);
    expect(stdout).toContain("acme/good is run_a; ");
    expect(stdout).not.toContain("\x1b");
  });

  it("adds the run id if both runs are of one model", async () => {
    const { runs, ...rest } = (await comparison()) as { runs: { model: object }[] };
    const body = { ...rest, runs: runs.map((one) => ({ ...one, model: runs[0]!.model })) };
    const { stdout } = await compared([{ body }]);
    expect(stdout).toMatch(/^acme\/good run_a +0\.938 +/m);
    expect(stdout).not.toContain(" is run_");
  });

  it("lists the settings that differ", async () => {
    const differingSettings = [{ setting: "reasoningEffort", values: ["high", null] }];
    const body = { ...(await comparison()), differingSettings };
    const { stdout } = await compared([{ body }]);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "Settings that differ: reasoningEffort high (acme/good), not stated (acme/<b>poor|</b>).",
    );
    const { stdout: json } = await compared([{ body }], "--json");
    expect(JSON.parse(json).differingSettings).toEqual(differingSettings);
  });

  it("accepts run ids without the flag", async () => {
    const body = await comparison();
    await using service = await fakeService(() => ({ body }));
    const args = ["compare", "run_a", "run_b", "--server", service.url];
    expect((await assay(folder.path, args)).stdout).toContain("acme/good");
    expect(service.asked.map(({ call }) => call)).toEqual(["GET /v1/compare?runs=run_a%2Crun_b"]);
  });

  it("tests against a margin, and refuses unknown metrics and too large margins", async () => {
    const body = await comparison();
    const { stdout } = await compared([{ body }], "--margin", "eqs=0.9");
    expect(stdout).toContain("EQS: within a margin of 0.9");
    expect(stdout).toMatch(
      /acme\/good is at most 0\.9 worse than acme\/<b>poor\|<\/b>|not shown|the same within/,
    );
    const json = await compared([{ body }], "--margin", "eqs=0.9", "--json");
    expect(JSON.parse(json.stdout).metrics[0].margin).toMatchObject({ margin: 0.9 });
    const unknown = await compared([{ body }], "--margin", "speed=1");
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('--margin: "speed" is not compared by sample; metrics are eqs'),
    ]);
    const large = await compared([{ body }], "--margin", "eqs=2");
    expect(large.stderr).toContain('"eqs" can differ by 1 at most: its margin has to be smaller');
    const wrong = await compared([], "--margin", "eqs");
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^--margin must be METRIC=N /),
    ]);
  });

  it("writes a self-contained page with the site's charts and escapes untrusted names", async () => {
    const body = await comparison();
    const figures = Object.fromEntries(
      body.runs.map(({ run, headline }: { run: string; headline: object }) => [
        run,
        { body: { metrics: { eqs: headline, latencyP95: { ...headline, value: 300 } } } },
      ]),
    );
    const replies = [{ body }, figures["run_a"], figures["run_b"]];
    const { code, asked } = await compared(replies, "--output", at("comparison.html"));
    expect([code, asked.slice(1)]).toEqual([0, ["GET /v1/runs/run_a", "GET /v1/runs/run_b"]]);
    const html = readFileSync(at("comparison.html"), "utf8");
    const { document } = new JSDOM(html).window;
    expect(document.documentElement.lang).toBe("en");
    expect(document.querySelectorAll("script, link, img, select, button")).toHaveLength(0);
    expect(document.querySelectorAll("h1")).toHaveLength(1);
    expect(document.querySelectorAll("figure svg").length).toBeGreaterThanOrEqual(2);
    for (const table of document.querySelectorAll("table")) {
      expect(table.closest("section.scroll")?.getAttribute("aria-label")).toBeTruthy();
    }
    expect(document.body.textContent).toContain("run_a (self-reported) − run_b (self-reported)");
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')];
    expect(links.every(({ href }) => href.startsWith("http://127.0.0.1:"))).toBe(true);
  });

  it("writes Markdown, CSV or JSON, by file extension", async () => {
    const body = await comparison();
    // `assay()` itself resolves names that end in .json in the folder.
    for (const path of [at("out.md"), at("out.csv"), "out.json"]) {
      expect((await compared([{ body }], "--output", path)).code).toBe(0);
    }
    const markdown = readFileSync(at("out.md"), "utf8");
    expect(markdown).toMatch(/^\| run \| EQS \| 95% interval \|/m);
    expect(markdown).toContain("| acme/\\<b\\>poor\\|\\</b\\> |");
    expect(JSON.parse(readFileSync(at("out.json"), "utf8"))).toMatchObject({
      runs: [{ run: "run_a" }, { run: "run_b" }],
    });
    const [head, first, ...records] = readFileSync(at("out.csv"), "utf8").trim().split("\r\n");
    expect(head).toMatch(/^record,metric,better,samples,a,b,value,low,high,/);
    expect(first).toMatch(/^run,eqs,higher,4,run_a,,0\.9375,/);
    expect(records[1]).toMatch(/^pair,eqs,higher,4,run_a,run_b,0\.3125,/);
  });

  it("passes on why the service refuses, and writes no file", async () => {
    const refusal = problemReply(422, "they are of two datasets");
    const { code, stderr } = await compared([refusal], "--output", at("none.html"));
    expect(code).toBe(2);
    expect(stderr).toMatch(/they are of two datasets\n$/);
    expect(existsSync(at("none.html")) || existsSync(at("none.html.part"))).toBe(false);
  });

  it.each([
    [["--runs", "run_a"], /^give 2 to 20 different runs, such as .*, not 1\n$/],
    [["run_a"], /^give 2 to 20 different runs, such as .*, not 1\n$/],
    [["run_a", "run_b", "--dataset", "x"], /^--dataset and runs or result folders exclude/],
    [["--runs", "run_a,run_b", "--dataset", "x"], /^--dataset and --runs exclude each other/],
    [["extraction", "--runs", "run_a,run_b"], /^unexpected argument "extraction"/],
    [
      ["--runs", "run_a,run_b", "--output", "x.pdf"],
      /^--output must be a file that ends in \.html/,
    ],
    [["--server", "http://localhost:1"], /^--server needs ids of runs/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await assay(folder.path, ["compare", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

it("assay compare of answer files writes a page", async () => {
  const files = ["--answers", "run_a.jsonl", "--answers", "run_b.jsonl"];
  const args = ["compare", "extraction", "--dataset", "samples.jsonl", ...files];
  const { code } = await assay(folder.path, [...args, "--output", at("files.html")]);
  expect(code).toBe(0);
  expect(readFileSync(at("files.html"), "utf8")).toMatch(/Differences in EQS[\s\S]*<svg/);
});

describe("assay plan", () => {
  const plan = async (replies: Reply[], ...more: string[]) => {
    await using service = await fakeService(
      () => replies.shift() ?? problemReply(404, "nothing is left"),
    );
    return await assay(folder.path, ["plan", "--server", service.url, ...more]);
  };
  const run = (id: string, usd: number) => ({
    body: {
      ...aRun(extraction, id, aModel("acme/good", "Good"), {}),
      metrics: { costPer1kUsd: { value: usd, interval: null, n: 4, coverage: 1 } },
    },
  });

  it("prints samples needed for each difference, whether there are enough, and their cost", async () => {
    const replies = [{ body: await comparison() }, run("run_a", 2), run("run_b", 5)];
    const { code, stdout, stderr } = await plan(
      replies,
      "run_b",
      "run_a",
      "--difference",
      "0.5,0.9",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("EQS differs by");
    const [first, second] = stdout.trim().split("\n").slice(2);
    const [difference, needed, enough, usd] = first!.trim().split(/ {2,}/);
    expect([difference, enough]).toEqual(["0.5", "no"]);
    expect(usd).toBe(`$${((Number(needed) * 5) / 1000).toFixed(2)}`);
    expect(second!.trim().split(/ {2,}/)[0]).toBe("0.9");
    expect(Number(second!.trim().split(/ {2,}/)[1])).toBeLessThan(Number(needed));
    expect(stdout).toContain("with fewer than 30, this is rough.");
  });

  it("refuses a single run and invalid differences", async () => {
    expect(await plan([], "run_a")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("two or more different runs"),
    });
    for (const silly of ["0", "2", "1e-13", "x"]) {
      expect(await plan([], "run_a", "run_b", "--difference", silly)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`such as 0.02, not "${silly}"`),
      });
    }
  });
});
