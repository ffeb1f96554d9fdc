import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { commandHelp, helpText } from "../../cli/command-line/help.ts";
import { parseCommand } from "../../cli/command-line/parse-command.ts";
import { runCommand } from "../../cli/commands/run.ts";
import { deployCommand, deployOptions } from "../../cli/deploy/deploy-options.ts";
import { root } from "../../cli/local/root.ts";

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}
interface Workflow {
  permissions?: Record<string, string>;
  env?: object;
  jobs: Record<string, { permissions?: object; env?: object; steps: Step[] }>;
}

const workflows = join(root, ".github", "workflows");
const files = [
  ...readdirSync(workflows).map((name) => join(workflows, name)),
  join(root, "examples", "gate.yml"),
  join(root, "examples", "evaluate.yml"),
];

const workflowOf = (file: string) => parse(readFileSync(file, "utf8")) as Workflow;
const stepsOf = (file: string): Step[] =>
  Object.values(workflowOf(file).jobs).flatMap(({ steps }) => steps);

const holdsSecret = (part: unknown) => /secrets\b/.test(JSON.stringify(part ?? null));
const installs = ({ run = "" }: Step) =>
  /\bnpm (ci|install|i|add|exec|rebuild)\b|\bnpx\b/.test(run);

describe.for(files)("%s", (file) => {
  it("pins actions to commits and passes no secret as an argument", () => {
    for (const { uses, run } of stepsOf(file)) {
      if (uses !== undefined)
        expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$|^\.\/\.assay-cli$/);
      expect(run ?? "").not.toMatch(/secrets\./);
    }
  });

  it("passes secrets only to single steps and to no action", () => {
    const { env, jobs } = workflowOf(file);
    expect(holdsSecret(env)).toBe(false);
    for (const job of Object.values(jobs)) {
      expect(holdsSecret(job.env)).toBe(false);
      for (const step of job.steps) expect(holdsSecret(step.with)).toBe(false);
    }
  });

  it("installs packages before any step with secrets, and without their scripts", () => {
    for (const { steps } of Object.values(workflowOf(file).jobs)) {
      const first = steps.findIndex(holdsSecret);
      for (const step of steps.filter(installs)) {
        expect(holdsSecret(step)).toBe(false);
        expect(step.run).toMatch(/\bnpm ci .*--ignore-scripts/);
      }
      // The project's action installs without the secrets of its step.
      if (first < 0 || steps[first]?.uses === "./.assay-cli") continue;
      expect(steps.slice(0, first).some(installs)).toBe(true);
    }
  });

  it("only has read permission on the repository and persists no token", () => {
    const { permissions, jobs } = workflowOf(file);
    const comments = file.endsWith("gate.yml") && { "pull-requests": "write" };
    expect(permissions).toEqual({ contents: "read", ...comments });
    for (const job of Object.values(jobs)) expect(job.permissions).toBeUndefined();
    for (const { uses, with: given } of stepsOf(file)) {
      if (!uses?.startsWith("actions/checkout@")) continue;
      expect(given?.["persist-credentials"]).toBe(false);
    }
  });
});

it("action.yml pins other actions and installs in an environment without secrets", () => {
  const { runs } = parse(readFileSync(join(root, "action.yml"), "utf8")) as {
    runs: { steps: Step[] };
  };
  expect(runs.steps.filter(installs)).toHaveLength(1);
  for (const { uses, run = "", ...step } of runs.steps) {
    if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    if (!installs({ run })) continue;
    expect(run).toMatch(/^env -i [^&;|]*\bnpm ci .*--ignore-scripts/s);
    expect(Object.keys(step.env ?? {})).toEqual(["SERVER"]);
  }
});

it.for(["deploy.yml", "site.yml"])("%s uses only flags and variables of npm run deploy", (name) => {
  const step = stepsOf(join(workflows, name)).find(({ run }) => run?.startsWith("npm run deploy"));
  const [, given = ""] = step!.run!.split(" -- ");
  expect(deployOptions(given.split(" "), {})).toMatchObject({ yes: true });
  const variables = helpText(commandHelp(deployCommand));
  for (const variable of Object.keys(step!.env!)) expect(variables).toContain(variable);
});

it("the example of a job uses valid flags of assay run", () => {
  const step = stepsOf(files.at(-1)!).find(({ run }) => run?.includes("assay.mjs"));
  const [, given = ""] = step!.run!.split("assay.mjs run ");
  expect(parseCommand(runCommand, given.split(" "))).toMatchObject({
    values: { config: "assay.yaml", junit: "out.xml" },
  });
});
