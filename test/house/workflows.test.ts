import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseArguments } from "../../cli/arguments.ts";
import { runCommand } from "../../cli/commands/run.ts";
import { deployOptions } from "../../cli/deploy/deploy-options.ts";
import { root } from "../../cli/local/root.ts";

interface Step {
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

const workflows = join(root, ".github", "workflows");
const files = [
  ...readdirSync(workflows).map((name) => join(workflows, name)),
  join(root, "examples", "evaluate.yml"),
];

const stepsOf = (file: string): Step[] => {
  const { jobs } = parse(readFileSync(file, "utf8")) as { jobs: Record<string, { steps: Step[] }> };
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

describe.for(files)("%s", (file) => {
  it("pins actions by commit, and passes no secret as an argument", () => {
    for (const { uses, run } of stepsOf(file)) {
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      expect(run ?? "").not.toMatch(/secrets\./);
    }
  });
});

it.for(["deploy.yml", "site.yml"])("%s asks for what npm run deploy takes", (name) => {
  const step = stepsOf(join(workflows, name)).find(({ run }) => run?.startsWith("npm run deploy"));
  const [, given = ""] = step!.run!.split(" -- ");
  expect(deployOptions(given.split(" "), {})).toMatchObject({ yes: true });
  const variables = readFileSync(join(root, "cli", "deploy", "deploy-usage.ts"), "utf8");
  for (const variable of Object.keys(step!.env!)) expect(variables).toContain(variable);
});

it("the example of a job runs assay as it is", () => {
  const step = stepsOf(files.at(-1)!).find(({ run }) => run?.includes("assay.mjs"));
  const [, given = ""] = step!.run!.split("assay.mjs run ");
  expect(parseArguments(given.split(" "), runCommand.flags).values).toMatchObject({
    ...{ config: "assay.yaml", junit: "out.xml" },
  });
});
