import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../../cli/local/root.ts";
import { fakeGitHub, jobEnvironment } from "../support/fake-github.ts";
import { aFolder } from "../support/folder-with.ts";
import { aRunOf, gatedService, scoredAs } from "../support/scored-runs.ts";

type Variables = Record<string, string>;

interface Action {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { steps: { run?: string; env?: Variables }[] };
}

const yaml = (path: string) => parse(readFileSync(join(root, path), "utf8"));
const run = aRunOf("run_1", "acme/large");

/** Runs commands in bash as a CI runner does, without this process's environment except PATH. */
async function bash(script: string, cwd: string, env: Variables) {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, text };
}

/**
 * A model's repository on a branch, with a baseline on main. Its stand-in for `npm` only records arguments and
 * environment, and links this project's folder in place of the installed package.
 */
async function modelRepository() {
  const folder = aFolder();
  const [work, bin] = [join(folder, "work"), join(folder, "bin")];
  for (const path of [work, bin]) mkdirSync(path);
  writeFileSync(
    join(work, "assay.yaml"),
    "model: { name: large, base_url: https://api.example.com/v1 }\ndataset: { name: stock }\n",
  );
  writeFileSync(
    join(work, "assay-baseline.json"),
    JSON.stringify(scoredAs(aRunOf("run_0", "acme/small"))),
  );
  const npm = `#!/bin/bash\necho "$@" >> ${folder}/npm-calls\nenv >> ${folder}/npm-env\nif [ -d .assay-cli ]; then rm -rf .assay-cli; ln -s ${root} .assay-cli; fi\n`;
  writeFileSync(join(bin, "npm"), npm);
  chmodSync(join(bin, "npm"), 0o755);
  symlinkSync(process.execPath, join(bin, "node"));
  const env = {
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    HOME: folder,
    ASSAY_FOLDER: join(folder, "state"),
    MODEL_API_KEY: "a-secret",
  };
  const git = (folder: string) => `git -C ${folder} -c user.name=A -c user.email=a@example.com`;
  await bash(
    `git init -q -b main ${work}; ${git(work)} add .; ${git(work)} commit -qm baseline
    git clone -q --bare ${work} ${folder}/origin.git; git -C ${work} remote add origin ${folder}/origin.git
    git -C ${work} fetch -q origin; git -C ${work} checkout -qb change; git -C ${work} branch -qD main
    git init -q -b main ${folder}/source; ${git(`${folder}/source`)} commit -q --allow-empty -m source`,
    folder,
    env,
  );
  return { folder, work, env, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

/** Runs an action's steps until one fails. Expressions can only read inputs. */
async function runAction(given: Variables, cwd: string, env: Variables) {
  const { inputs, runs } = yaml("action.yml") as Action;
  for (const [name, { required, default: usual }] of Object.entries(inputs)) {
    if (required) expect(given[name] ?? usual).toBeDefined();
  }
  const filled = (text: string): string =>
    text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => {
      if (name === "github.token") return env["GITHUB_TOKEN"]!;
      const input = name.replace(/^inputs\./, "");
      expect(Object.keys(inputs)).toContain(input);
      return given[input] ?? filled(inputs[input]!.default ?? "");
    });
  let ran = { code: 0 as number | null, text: "" };
  for (const { run: script, env: own = {} } of runs.steps) {
    if (script === undefined || ran.code !== 0) continue;
    // Values are passed to scripts as variables and never become part of the script.
    expect(script).not.toContain("${{");
    const values = Object.entries(own).map(([name, value]) => [name, filled(value)]);
    ran = await bash(script, cwd, { ...env, ...Object.fromEntries(values) });
  }
  return ran;
}

it("action.yml writes one comment on the pull request and fails if the model is worse", async () => {
  const { folder, work, env, read } = await modelRepository();
  await using github = await fakeGitHub([]);
  const job = {
    ...env,
    ...jobEnvironment(github.url),
    GITHUB_ACTION_PATH: root,
    GITHUB_BASE_REF: "main",
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  const outcomes: (number | null)[] = [];
  for (const fallen of [20, 0]) {
    await using service = await gatedService(scoredAs(run, fallen), run);
    const given = { "non-inferior": "eqs=0.02", server: service.url };
    const { code, text } = await runAction(given, work, job);
    expect(text).toContain("comment of pull request 7");
    outcomes.push(code);
  }
  expect(outcomes).toEqual([1, 0]);
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain("# Gate passed");
  expect(read("summary.md")).toMatch(/# Gate failed[\s\S]+# Gate passed/);
  expect(readFileSync(join(work, "assay-gate.xml"), "utf8")).toContain("EQS no worse by 0.020");
  expect(read("npm-calls")).toMatch(/^ci --prefix \S+ --omit=dev --ignore-scripts /);
  expect(read("npm-env")).not.toMatch(/a-secret|token-123/);
});

it("examples/gate.gitlab-ci.yml fetches the target branch and fails if the model is worse", async () => {
  const { folder, work, env, read } = await modelRepository();
  const { "assay-gate": job } = yaml("examples/gate.gitlab-ci.yml");
  await using service = await gatedService(scoredAs(run, 20), run);
  const script = [...job.before_script, ...job.script].join("\n");
  const { code, text } = await bash(script, work, {
    ...env,
    ASSAY_URL: service.url,
    ASSAY_REPOSITORY: join(folder, "source"),
    ASSAY_COMMIT: "main",
    TARGET: "main",
  });
  expect([code, text]).toEqual([1, expect.stringContaining("worse, and not shown to be within")]);
  expect(job.variables.TARGET).toBe("$CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
  for (const file of [job.artifacts.reports.junit, ...job.artifacts.paths]) {
    expect(readFileSync(join(work, file), "utf8")).toContain("EQS");
  }
  expect(read("npm-env")).not.toContain("a-secret");
});

it("docs/gates.md contains examples/gate.yml unchanged", () => {
  const guide = readFileSync(join(root, "docs/gates.md"), "utf8");
  expect(guide).toContain(readFileSync(join(root, "examples/gate.yml"), "utf8"));
});
