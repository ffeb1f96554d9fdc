import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import type { KnownSchemas } from "../../shared/measures/json-schema/index/schema-index.ts";

/** One group of a suite file: a schema and its test values. */
export interface SuiteGroup {
  /** File name without extension, usually a keyword. */
  topic: string;
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: Json; valid: boolean }[];
}

/** Base address of the suite's remote schemas. */
const remoteBase = "http://localhost:1234/";

/** The groups of a draft, such as `draft7`, in the suite at `folder`; by default the required groups. */
export function suiteGroups(folder: string, draft: string, part = ""): SuiteGroup[] {
  const path = join(folder, "tests", draft, part);
  const files = readdirSync(path).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const groups = readJson(join(path, name)) as unknown as Omit<SuiteGroup, "topic">[];
    return groups.map((group) => ({ ...group, topic: name.replace(/\.json$/, "") }));
  });
}

/** Whether a group needs remote schemas. */
export function needsRemotes(group: SuiteGroup): boolean {
  return JSON.stringify(group.schema).includes(remoteBase);
}

/** Remote schemas for groups of `draft`: those of the draft and those that belong to no draft. */
export function remoteSchemas(folder: string, draft: string): KnownSchemas {
  const root = join(folder, "remotes");
  const names = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".json"))
    .filter((name) => name.startsWith(`${draft}/`) || !/^(draft[^/]*|v1)\//.test(name));
  return new Map(
    names.map((name) => [remoteBase + name, readJson(join(root, name)) as JsonObject]),
  );
}

function readJson(path: string): Json {
  return JSON.parse(readFileSync(path, "utf8"));
}
