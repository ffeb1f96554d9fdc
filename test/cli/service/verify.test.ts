import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { newSigningKey } from "../../../cli/local/wrangler.ts";
import type { Verification } from "../../../cli/verify/verify-result.ts";
import type { SignedStatement } from "../../../shared/contracts/boards/result-statement.ts";
import { assay } from "../support/assay.ts";
import { fakeService, problemReply } from "../support/fake-service.ts";
import { publishedRun } from "../support/published-run.ts";

type Published = Awaited<ReturnType<typeof publishedRun>>;

let published: Published;
let saved: string;

const files = ["statement.json", "keys.json", "dataset.jsonl", "answers.jsonl"] as const;
const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-verify-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

beforeAll(async () => {
  published = await publishedRun("extraction", newSigningKey());
  saved = mkdtempSync(join(tmpdir(), "assay-verify-test-"));
  const args = ["verify", published.run.id, "--server", published.url, "--save", `${saved}/`];
  const { code, stdout, stderr } = await assay("/", args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("72 samples of stock");
});

afterAll(async () => {
  await published[Symbol.asyncDispose]();
  rmSync(saved, { recursive: true, force: true });
});

/** Verifies a copy of the saved folder with one changed file, without a service. */
async function tampered(name: (typeof files)[number], change: (text: string) => string) {
  const folder = temporary();
  cpSync(saved, folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, change(readFileSync(path, "utf8")));
  const keys = name === "keys.json" ? path : join(saved, "keys.json");
  const args = ["verify", `${folder}/`, "--key", keys, "--json", "--server", "http://127.0.0.1:9"];
  const { code, stdout, stderr } = await assay("/", args);
  const found = JSON.parse(stdout) as Verification;
  const outcomes = Object.fromEntries(found.checks.map((check) => [check.name, check.outcome]));
  const differences = Object.fromEntries(
    found.checks.map((check) => [check.name, check.differences]),
  );
  return { code, stderr, found, outcomes, differences };
}

const allOk = {
  signature: "ok",
  dataset: "ok",
  answers: "ok",
  scores: "ok",
  metrics: "ok",
  models: "ok",
};
const same = (text: string) => text;

const changedStatement = (change: (signed: SignedStatement) => void) => (text: string) => {
  const signed = JSON.parse(text) as SignedStatement;
  change(signed);
  return JSON.stringify(signed);
};

/** Applies `change` to the first line that it alters. */
function changedLine(text: string, change: (line: string) => string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line !== "" && change(line) !== line);
  expect(at).toBeGreaterThanOrEqual(0);
  return lines.with(at, change(lines[at]!)).join("\n");
}

describe("assay verify", () => {
  it("verifies an unchanged folder without a service", async () => {
    const { code, stderr, found, outcomes } = await tampered("statement.json", same);
    expect([code, stderr, found.verdict]).toEqual([0, "", "verified"]);
    expect(outcomes).toEqual(allOk);
    expect(found.checks.find(({ name }) => name === "metrics")?.said).toMatch(/^\d{2,3} with/);
  });

  it("names a changed metric of the statement and the correct value", async () => {
    const stated = published.run.metrics!["eqs"]!.value!;
    const { code, stderr, outcomes, differences } = await tampered(
      "statement.json",
      changedStatement(({ statement }) => {
        statement.metrics["eqs"]!.value = 0.987;
      }),
    );
    expect(code).toBe(1);
    expect(stderr).toBe(
      `${published.run.id} differs from the published result: signature, metrics\n`,
    );
    expect(outcomes).toEqual({ ...allOk, signature: "differs", metrics: "differs" });
    expect(differences["signature"]).toEqual([
      { what: "/metrics/eqs/value", signed: stated, found: 0.987 },
    ]);
    const [metric] = differences["metrics"]!;
    expect(metric).toMatchObject({ what: "eqs", signed: 0.987 });
    expect(metric!.found).toBeCloseTo(stated, 9);
  });

  it("names the sample whose answer was changed", async () => {
    let changed = "";
    const { code, outcomes, differences } = await tampered("answers.jsonl", (text) =>
      changedLine(text, (line) => {
        const row = JSON.parse(line);
        if (row.score !== 1) return line;
        changed = row.id;
        return JSON.stringify({ ...row, answer: { ...row.answer, output: "{}" } });
      }),
    );
    expect(code).toBe(1);
    expect(outcomes).toMatchObject({ signature: "ok", dataset: "ok", answers: "differs" });
    expect(outcomes).toMatchObject({ scores: "differs", metrics: "differs" });
    expect(differences["scores"]).toEqual([
      { what: `sample ${changed}`, signed: 1, found: expect.any(Number) },
    ]);
    expect(differences["metrics"]!.map(({ what }) => what)).toContain("eqs");
  });

  it("names the sample whose gold was changed", async () => {
    let changed = "";
    const rows = readFileSync(join(saved, "answers.jsonl"), "utf8").trim().split("\n");
    const perfect = new Set(
      rows.map((row) => JSON.parse(row)).flatMap(({ id, score }) => (score === 1 ? [id] : [])),
    );
    const isText = ([, value]: [string, unknown]) => typeof value === "string" && value.length > 20;
    const { code, outcomes, differences } = await tampered("dataset.jsonl", (text) =>
      changedLine(text, (line) => {
        const row = JSON.parse(line);
        const [name] = Object.entries(row.expected_output).find(isText) ?? [];
        if (name === undefined || !perfect.has(row.id)) return line;
        changed = row.id;
        const gold = { ...row.expected_output, [name]: "another value" };
        return JSON.stringify({ ...row, expected_output: gold });
      }),
    );
    expect(code).toBe(1);
    expect(outcomes).toMatchObject({ signature: "ok", dataset: "differs", answers: "ok" });
    expect(differences["dataset"]!.map(({ what }) => what)).toEqual(["dataset version"]);
    expect(differences["scores"]!.map(({ what }) => what)).toEqual([`sample ${changed}`]);
  });

  it.each<[string, { answers?: object; dataset?: object; subset?: object }, RegExp]>([
    ["answers", { answers: { count: 999_999_999_999 } }, /says 9{12} answers, the file has 72$/],
    ["fewer than no answers", { answers: { count: -1 } }, /^72 recomputed/],
    ["samples", { dataset: { samples: 1e12 } }, /says 1000000000000 samples, .+ has 72$/],
    [
      "samples of a drawn subset",
      { dataset: { samples: 1e12 }, subset: { n: 5, seed: 1 } },
      /says 1000000000000 samples, .+ has 72$/,
    ],
    ["drawn samples", { subset: { n: 1e12, seed: 1 } }, /^72 recomputed/],
  ])("does not trust counts of a statement: %s", async (_, stated, said) => {
    const started = performance.now();
    const { code, found, outcomes } = await tampered(
      "statement.json",
      changedStatement(({ statement }) => {
        const { answers, dataset } = statement;
        Object.assign(statement, stated, {
          answers: Object.assign(answers, stated.answers),
          dataset: Object.assign(dataset, stated.dataset),
        });
      }),
    );
    expect([code, outcomes["signature"]]).toEqual([1, "differs"]);
    expect(found.checks.find(({ name }) => name === "scores")?.said).toMatch(said);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("names the line of a missing answer", async () => {
    const { code, found, outcomes } = await tampered("answers.jsonl", (text) =>
      text.split("\n").toSpliced(3, 1).join("\n"),
    );
    expect(code).toBe(1);
    expect(outcomes).toMatchObject({ answers: "differs", scores: "differs" });
    const said = found.checks.find(({ name }) => name === "scores")?.said;
    expect(said).toMatch(/answers\.jsonl:4: expected the answer to ".+"; found the answer to/);
  });

  it("rejects a signature by another key, also under the right key id", async () => {
    await using foreign = await publishedRun("extraction", newSigningKey());
    const reply = await fetch(`${foreign.url}/v1/runs/${foreign.run.id}/statement`);
    const theirs = (await reply.json()) as SignedStatement;
    const other = await tampered("statement.json", () => JSON.stringify(theirs));
    expect([other.code, other.outcomes["signature"]]).toEqual([1, "differs"]);
    expect(other.found.checks[0]!.said).toContain(
      `by the key ${theirs.keyId}, which is not a key of`,
    );
    const claimed = await tampered(
      "statement.json",
      changedStatement((signed) => {
        const header = signed.signature!.split(".")[0];
        signed.signature = [header, ...theirs.signature!.split(".").slice(1)].join(".");
      }),
    );
    expect([claimed.code, claimed.outcomes["signature"]]).toEqual([1, "differs"]);
    expect(claimed.found.checks[0]!.said).toContain("did not sign this");
  });

  it("rejects a statement without its signature", async () => {
    const { code, outcomes, found } = await tampered(
      "statement.json",
      changedStatement((signed) => Object.assign(signed, { signature: null, keyId: null })),
    );
    expect([code, outcomes["signature"]]).toEqual([1, "differs"]);
    expect(found.checks[0]!.said).toContain("it was removed");
  });

  it("exits with 2 and lists the checks whose files are missing", async () => {
    const folder = temporary();
    for (const name of ["statement.json", "dataset.jsonl"]) {
      cpSync(join(saved, name), join(folder, name));
    }
    const nobody = ["--server", "http://127.0.0.1:9"];
    const { code, stdout, stderr } = await assay("/", ["verify", `${folder}/`, ...nobody]);
    expect(code).toBe(2);
    expect(stderr).toContain("cannot be checked completely: signature, answers, scores, metrics");
    expect(stdout).toMatch(/signature +not checked +no service can be reached/);
    expect(stdout).toMatch(/answers +not checked +.*answers\.jsonl: there is no such file/);
    const none = await assay("/", ["verify", "run_none", "--server", published.url]);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('there is no run "run_none"'),
    ]);
  });

  it("uses recorded judgments of a judged suite with a note, and exits with 2 for an unsigned statement", async () => {
    await using judged = await publishedRun("memory", "");
    const args = ["verify", judged.run.id, "--server", judged.url];
    const { code, stdout } = await assay("/", args);
    expect(code).toBe(2);
    expect(stdout).toMatch(/signature +not checked +this deployment has no signing key/);
    expect(stdout).toMatch(/scores +ok +60 recomputed; recorded judgments are used/);
    expect(stdout).toMatch(/metrics +ok/);
  });

  it("sends the API key only to the configured service, for any address in a statement file", async () => {
    await using stranger = await fakeService(() => ({ status: 404 }));
    await using service = await fakeService(() => problemReply(404, "there is nothing"));
    vi.stubEnv("ASSAY_API_KEY", "assay_secret");
    const { host, port } = new URL(stranger.url);
    const folder = temporary();
    const places = [
      `@${host}/keys`,
      `.${host}/keys`,
      `:${port}/keys`,
      `//${host}/keys`,
      stranger.url,
      "/../v1/keys",
      `\\\\${host}`,
      `?@${host}`,
      `#@${host}`,
    ];
    for (const [i, keys] of places.entries()) {
      const path = join(folder, `${i}.json`);
      const run = i % 2 === 0 ? ".." : `../@${host}`;
      writeFileSync(
        path,
        changedStatement((signed) => {
          signed.keys = keys;
          signed.statement.run = run;
        })(readFileSync(join(saved, "statement.json"), "utf8")),
      );
      await assay("/", ["verify", path, "--server", service.url]);
    }
    expect(stranger.asked).toEqual([]);
    const asked = new Set(service.asked.map(({ call }) => call.split("?")[0]));
    expect([...asked].toSorted()).toEqual([
      "GET /.well-known/assay-keys.json",
      "GET /v1/dataset.jsonl",
      expect.stringMatching(/^GET \/v1\/runs\/\.\.%2F%40.*\/answers\.jsonl$/),
    ]);
    const keys = new Set(service.asked.map(({ headers }) => headers.authorization));
    expect([...keys]).toEqual(["Bearer assay_secret"]);
  });
});
