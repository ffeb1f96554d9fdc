import { expect, it } from "vitest";
import { deployOptions } from "./deploy-options.ts";

it("deployOptions() gives flags precedence over variables", () => {
  const env = { ASSAY_DEPLOY_NAME: "from-env", ASSAY_DEPLOY_PLAN: "free", ASSAY_ORIGIN: " " };
  const options = deployOptions(["--name", "mine", "--no-dataset", "-y"], env);
  expect(options).toMatchObject({ name: "mine", plan: "free", origin: null, yes: true });
  expect(options.importsDataset).toBe(false);
});

it.for<[string[], string]>([
  [
    ["--name", "My_App"],
    '--name must be at most 50 lower-case letters, digits and dashes, with a letter first, not "My_App".',
  ],
  [["--name", "a".repeat(51)], "at most 50"],
  [
    ["--account", "acme"],
    '--account must be the 32 hex digits that wrangler whoami lists, not "acme".',
  ],
  [["--plan", "pro"], 'unknown --plan "pro"; choose paid, free'],
  [
    ["--domain", "https://a.example"],
    '--domain must be a host name such as assay.example.com, not "https://a.example".',
  ],
  [
    ["--origin", "http://a.example"],
    '--origin must be an address with https, not "http://a.example".',
  ],
  [["--dataset-revision", "main"], '--dataset-revision must be a commit\'s SHA, not "main".'],
  [["--nmae", "x"], "unknown flag --nmae; did you mean --name?"],
])("deployOptions() refuses %j and says what to do", ([args, expected]) => {
  expect(() => deployOptions(args, {})).toThrow(expected);
});
