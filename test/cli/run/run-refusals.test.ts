import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { folderWith } from "../support/folder-with.ts";
import { flags } from "../support/run-service.ts";

const folder = folderWith({});
const at = (name: string) => join(folder.path, name);

afterAll(folder.dispose);
beforeEach(() => {
  vi.stubEnv("ASSAY_FOLDER", at("state"));
});

describe("assay run refuses", () => {
  const file = at("refused.yaml");
  writeFileSync(file, "suit: slots\nmodel: { nam: a }\n");
  const lost = at("lost.yaml");
  writeFileSync(lost, 'model: { name: a, base_url: "http://a/v1" }\ndataset: { path: a.jsonl }\n');
  const rubric = at("rubric.yaml");
  writeFileSync(rubric, "name: a\ncriteria: [{ id: Not an id, question: b }]\n");
  const unset =
    "the environment variable for its key is not set, neither in the environment nor in .env";

  it.each([
    [
      ["run"],
      "give --config FILE, --model NAME --base-url URL --dataset NAME, or --exec COMMAND --dataset NAME; assay init writes a config file",
    ],
    [["run", "slotz", ...flags], 'unknown suite "slotz"; did you mean slots?'],
    [
      ["run", "slots", "tools", ...flags],
      'unexpected argument "tools"; --help lists the arguments',
    ],
    [
      ["run", "--model", "a"],
      "a has no endpoint: provider, base_url, exec or http, or the flag --base-url",
    ],
    [["run", ...flags, "--junit", ""], "--junit needs a value: FILE is empty"],
    [["run", ...flags, "--baseline", " "], "--baseline needs a value: BASELINE is empty"],
    [["run", "--exec", "", "--dataset", "stock"], "--exec needs a value: COMMAND is empty"],
    [["run", ...flags.slice(0, 4)], "no dataset is given: name, or the flag --dataset"],
    [
      ["run", ...flags, "--base-url", "here"],
      '--base-url must be an address such as https://api.example.com/v1, not "here"',
    ],
    [
      ["run", ...flags, "--base-url", "https://me:hunter2@a.example/v1"],
      "--base-url must not contain a user name or password: remove them, and give a key with --api-key-env",
    ],
    [
      ["run", ...flags, "--api-key-env", "ASSAY_API_KEY"],
      "a-model: ASSAY_API_KEY is the key of the service and is never sent to an endpoint",
    ],
    [
      ["run", ...flags, "--api-key-env", "sk-1"],
      "--api-key-env must be the name of an environment variable, such as MODEL_API_KEY",
    ],
    [["run", ...flags, "--api-key-env", "NOT_THERE"], `a-model: ${unset}`],
    [["run", ...flags, "--sample", "0"], '--sample must be a whole number from 1 on, not "0"'],
    [["run", ...flags, "--seed", "1"], "--seed needs --sample"],
    [
      ["run", ...flags, "--concurrency", "201"],
      '--concurrency must be a whole number from 1 to 200, not "201"',
    ],
    [["run", ...flags, "--mode", "fast"], '--mode must be live or batch, not "fast"'],
    [
      ["run", ...flags, "--fail-under", "eq=0.8"],
      '--fail-under: extraction has no metric "eq"; did you mean eqs?',
    ],
    [
      ["run", ...flags, "--fail-under", "eqs"],
      '--fail-under must be METRIC=VALUE, such as eqs=0.8, or a tier, minimum, target, excellence; several: the flag again; not "eqs"',
    ],
    [
      ["run", ...flags, "--fail-under", "eqs=high"],
      '--fail-under must be METRIC=VALUE, such as eqs=0.8, or a tier, minimum, target, excellence; several: the flag again; not "eqs=high"',
    ],
    [
      ["run", ...flags, "--fail-under", "eqs=80"],
      "--fail-under: eqs is a share from 0 to 1, not 80",
    ],
    [
      ["run", "slots", ...flags, "--fail-under", "target"],
      "--fail-under: slots has no tiers (only extraction); give a metric, such as f1=0.8",
    ],
    [
      ["run", ...flags, "--fail-under", "target", "--fail-under", "minimum"],
      "--fail-under: at most one tier, not target, minimum",
    ],
    [["run", ...flags, "--no-wait", "--dry-run"], "--no-wait and --dry-run exclude each other"],
    [
      ["run", ...flags, "--no-wait", "--junit", "a.xml"],
      "--junit needs the results; --no-wait does not wait for them",
    ],
    [["run", ...flags, "--datset", "a"], "unknown flag --datset; did you mean --dataset?"],
    [
      ["run", "rubric", ...flags, "--rubric", rubric],
      'rubric.yaml: rubric.criteria[0].id: must be 1 to 40 lower-case letters, digits and underscores, the first a letter, not "Not an id"',
    ],
    [["run", "--config", "/none.yaml"], "/none.yaml: there is no such file"],
    [
      ["run", "--config", lost],
      "lost.yaml:2: error: dataset: no dataset is given: name, or the flag --dataset; dataset.path: no effect: unknown key; remove it, or use one of name, split, config, cache_dir, sample_size, random_seed",
    ],
    [
      ["run", "--config", file],
      `refused.yaml:1: error: suit: unknown key; did you mean suite?; and 2 more: assay validate-config refused.yaml lists them`,
    ],
  ])("%j", async (args, message) => {
    const outcome = await assay(folder.path, args);
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
  });

  it("no rubric for a suite without rubrics, but warns", async () => {
    const args = ["run", ...flags, "--rubric", rubric, "--server", "http://localhost:1"];
    expect((await assay(folder.path, args)).stderr).toMatch(
      /^warning: rubric\.yaml: rubric: no effect: the suite extraction has no such option\n/,
    );
  });

  it("an endpoint's key over a connection that others can read", async () => {
    vi.stubEnv("MODEL_KEY", "sk-1");
    const args = [
      "run",
      ...flags,
      "--api-key-env",
      "MODEL_KEY",
      "--server",
      "http://assay.example.com",
    ];
    expect(await assay(folder.path, args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^the endpoint's key could be read in transit/),
    });
  });
});

it.each(["run", "init", "validate-config"])("assay %s has a help page", async (name) => {
  const { code, stdout } = await assay(folder.path, [name, "--help"]);
  expect([code, stdout.startsWith(`assay ${name} `)]).toEqual([0, true]);
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
});
