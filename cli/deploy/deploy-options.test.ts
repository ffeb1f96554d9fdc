import { expect, it } from "vitest";
import { deployOptions } from "./deploy-options.ts";

it("deployOptions() takes flags before variables", () => {
  const env = { ASSAY_DEPLOY_NAME: "from-env", ASSAY_DEPLOY_PLAN: "free", ASSAY_ORIGIN: " " };
  const options = deployOptions(["--name", "mine", "--no-dataset", "-y"], env);
  expect(options).toMatchObject({ name: "mine", plan: "free", origin: null, yes: true });
  expect(options.importsDataset).toBe(false);
});

it.for<[string[], string]>([
  [
    ["--name", "My_App"],
    '--name takes lower-case letters, digits and dashes, 50 at most, a letter first, not "My_App".',
  ],
  [["--name", "a".repeat(51)], "50 at most"],
  [
    ["--account", "acme"],
    '--account takes the 32 hex digits that wrangler whoami lists, not "acme".',
  ],
  [["--plan", "pro"], 'unknown --plan "pro"; choose paid, free'],
  [
    ["--domain", "https://a.example"],
    '--domain takes a host name such as assay.example.com, not "https://a.example".',
  ],
  [
    ["--origin", "http://a.example"],
    '--origin takes an address with https, not "http://a.example".',
  ],
  [["--dataset-revision", "main"], '--dataset-revision takes a commit\'s SHA, not "main".'],
  [["--nmae", "x"], "unknown flag --nmae; did you mean --name?"],
])("deployOptions() refuses %j with what to do", ([args, expected]) => {
  expect(() => deployOptions(args, {})).toThrow(expected);
});
