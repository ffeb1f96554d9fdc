import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject } from "../../shared/contracts/json.ts";
import type { KnownSchemas } from "../../shared/measures/json-schema/index/schema-index.ts";
import { readSchema } from "../../shared/measures/json-schema/read-schema.ts";
import { needsRemotes, remoteSchemas, type SuiteGroup, suiteGroups } from "./suite-groups.ts";

/** The drafts that the extraction suite reads: folder in the official suite and address. */
const drafts = {
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
};

/** Share of required groups that must pass in each draft. */
const minPassRate = 0.99;

/** Share of format tests, optional in the official suite, that must pass in each draft. */
const minFormatRate = 0.95;

function passes({ schema, tests }: SuiteGroup, address: string, known: KnownSchemas): boolean {
  const dated = isJsonObject(schema) ? { $schema: address, ...schema } : schema;
  const { validate } = readSchema(dated, false, known);
  return tests.every(({ data, valid }) => {
    const judged = validate(data);
    return judged.ok && (judged.value.length === 0) === valid;
  });
}

function tally(groups: readonly SuiteGroup[], failed: ReadonlySet<SuiteGroup>): string {
  const passed = groups.filter((group) => !failed.has(group)).length;
  return `${passed} of ${groups.length}`;
}

/** Prints the number of passed groups and each failed group; true if enough pass. */
function runDraft(folder: string, draft: string, address: string): boolean {
  const groups = suiteGroups(folder, draft);
  const known = remoteSchemas(folder, draft);
  const failed = new Set(groups.filter((group) => !passes(group, address, known)));
  const passRate = 1 - failed.size / groups.length;
  console.log(`${draft}: ${tally(groups, failed)} groups (${(100 * passRate).toFixed(1)} %)`);
  console.log(`  of these with remote schemas: ${tally(groups.filter(needsRemotes), failed)}`);
  for (const { topic, description } of failed) console.log(`  fails: ${topic}: ${description}`);
  return passRate >= minPassRate;
}

/** Prints the number of passed format tests and each failed test; true if enough pass. */
function runFormats(folder: string, draft: string, address: string): boolean {
  const byFormat = new Map<string, { passed: number; total: number }>();
  for (const { topic, schema, tests } of suiteGroups(folder, draft, "optional/format")) {
    const { validate } = readSchema({ $schema: address, ...(schema as object) }, true);
    const counts = byFormat.get(topic) ?? { passed: 0, total: 0 };
    byFormat.set(topic, counts);
    for (const { description, data, valid } of tests) {
      const judged = validate(data);
      const isRight = judged.ok && (judged.value.length === 0) === valid;
      counts.total++;
      if (isRight) counts.passed++;
      else console.log(`  fails: ${topic}: ${description}`);
    }
  }
  const all = [...byFormat.values()];
  const [passed, total] = [sum(all.map((one) => one.passed)), sum(all.map((one) => one.total))];
  console.log(
    `${draft}, formats: ${passed} of ${total} tests (${((100 * passed) / total).toFixed(1)} %)`,
  );
  const texts = [...byFormat].map(
    ([format, counts]) => `${format} ${counts.passed}/${counts.total}`,
  );
  console.log(`  ${texts.join(", ")}`);
  return passed / total >= minFormatRate;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

const folder = process.env["JSON_SCHEMA_TEST_SUITE"];
if (folder === undefined) {
  console.error(
    "Set JSON_SCHEMA_TEST_SUITE to a clone of the JSON-Schema-Test-Suite; see README.md",
  );
  process.exit(2);
}
if (process.argv.includes("--compare")) {
  const { compareValidators } = await import("./compare.ts");
  await compareValidators(folder, join(tmpdir(), "assay-validators"));
  process.exit(0);
}
const enough = Object.entries(drafts).flatMap(([draft, address]) => [
  runDraft(folder, draft, address),
  runFormats(folder, draft, address),
]);
process.exit(enough.every(Boolean) ? 0 : 1);
