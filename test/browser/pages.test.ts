import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostileName } from "./fixtures/fixture.ts";
import { flawsByPath } from "./support/audit-page.ts";
import { kindsOfPages } from "./support/kinds-of-pages.ts";
import { openSite, textWithoutScript } from "./support/open-site.ts";
import { pageDocument } from "./support/page-document.ts";
import { emptySite } from "./support/shared-site.ts";

const site = openSite();

it("no kind of page has accessibility or layout flaws in both colour schemes at 390 and 1280 px", async () => {
  const found = await flawsByPath(site.browser, site.origin, kindsOfPages, 390, 1280);
  expect(found).toEqual({});
});

describe("the built site", () => {
  const html = (path: string) => readFile(join(site.dist, path, "index.html"), "utf8");

  const inlineScriptsOf = async (path: string): Promise<number> =>
    pageDocument(await html(path)).querySelectorAll("script:not([src])").length;

  const textOf = (path: string) => textWithoutScript(site, path);

  it("has every model's score and interval on the board without JavaScript", async () => {
    const text = await textOf("/leaderboards/extraction/stock/");
    for (const { headline, model } of site.fixture.snapshot.boards[0]?.entries ?? []) {
      expect(text).toContain(model.name);
      expect(text).toContain(headline.value?.toFixed(3));
      expect(text).toContain(headline.interval?.map((end) => end.toFixed(3)).join("–"));
    }
  });

  it("shows a run's headline score and the endpoint that was called", async () => {
    const text = await textOf("/runs/run-large/#method");
    const run = site.fixture.runs.find(({ id }) => id === "run-large");
    expect(text).toContain(run?.metrics?.[run.headline]?.value?.toFixed(3));
    expect(text).toContain("Assay called api.acme.example");
  });

  it("shows a parity's earlier and removed runs, and lists runs of other accounts separately", async () => {
    const [own, others] = (await textOf("/parity/acme/hosts/")).split("Added by ada");
    expect(own).toMatch(/Cloud 2, run 3 of 3\s+non-inferior/);
    expect(own).toMatch(/Cloud 2, run 1 of 3\s+earlier: worse/);
    expect(own).toContain("Other accounts added 1 host, shown apart.");
    expect(others).toMatch(/^\s+Host\s+Verdict[\s\S]*Cloud 5\s+non-inferior/);
    expect(others).toContain("1 run of Cloud 2 was removed (added by acme).");
    expect(others).toMatch(/npx assay parity add acme\/hosts --server http/);
    expect(others).toContain("The score of Maker was known when it became the reference.");
  });

  it("marks boards of simulated models and runs that are self-reported, incomplete or failed", async () => {
    expect(await textOf("/leaderboards/extraction/acme/receipts/")).toContain(
      "All models on this board are simulated.",
    );
    expect(await textOf("/runs/run-parser/")).toContain("Self-reported.");
    expect(await textOf("/runs/run-flaky/")).toMatch(/answered only \d\d\.\d% of the samples/);
    expect(await textOf("/runs/run-silent/")).toContain("Nothing was answered.");
    expect(await textOf("/runs/run-failed/")).toContain(
      "the endpoint answered 401 to every request",
    );
  });

  it("names a board's judges, that they are simulated, and the canary that exceeded its bound", async () => {
    const text = await textOf("/leaderboards/memory/stock/");
    expect(text).toContain("The judges are simulated.");
    expect(text).toContain("Vague answer: Memory citation score 52.3% (95% interval 49.3–56.3%)");
    expect(text).toContain("its bound is at most 45.0%");
    expect(text).toContain(
      "The judges are simulated, so this only tests the system. A canary exceeded its bound.",
    );
    expect(text).toContain("Judged by sim-judge-a, sim-judge-b, sim-embedding, sim-judge-c");
    expect(text).toContain("in place of judges whose provider has no key here");
    expect(await html("")).toContain("a canary exceeded its bound");
    expect(await html("leaderboards/extraction/stock")).not.toMatch(/judged by|canary/i);
  });

  it("shows a judged run's judges, their cost and the share of samples they judged", async () => {
    const text = await textOf("/runs/run-half-judged/#method");
    expect(text).toContain("sim-judge-c (all simulated)");
    expect(text).toMatch(/Cost of judging \(not included\)\s+\$0/);
    expect(text).toMatch(/Only \d\d\.\d% of the samples were answered and judged/);
    const run = site.fixture.runs.find(({ id }) => id === "run-half-judged");
    expect(text).toContain(`${run?.metrics?.["helpfulness"]?.value?.toFixed(2)}/5`);
  });

  it("explains every judge and canary on the page of a suite with judges", async () => {
    const text = await textOf("/methodology/memory/");
    expect(text.match(/5 levels, \d rules/g)).toHaveLength(9);
    expect(text).toContain("at most 5.0 points above “Vague answer”, that is 57.3%");
    expect(await html("methodology/extraction")).not.toContain("Judges by metric");
  });

  it("prints a hostile model name as text", async () => {
    expect(await textOf("/models/mallory/script/")).toContain(hostileName);
    expect(await inlineScriptsOf("models/mallory/script")).toBe(0);
  });

  it("builds without results and explains how to get some", async () => {
    const empty = await emptySite();
    const home = await readFile(join(empty, "index.html"), "utf8");
    expect(home).toContain("No boards yet.");
    expect(home).not.toContain("1970");
    const memory = await readFile(join(empty, "methodology/memory/index.html"), "utf8");
    expect(memory).toContain("assay canary memory");
  });
});
