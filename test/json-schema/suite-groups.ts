import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../shared/contracts/json.ts";
import type { KnownSchemas } from "../../shared/measures/json-schema/index/schema-index.ts";

/** One object of a suite file: a schema and the values it is tried on. */
export interface SuiteGroup {
  /** The file without its ending: mostly a keyword. */
  topic: string;
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: Json; valid: boolean }[];
}

/** Where the suite says its remote schemas are. */
const remoteBase = "http://localhost:1234/";

/** The groups of a draft, such as `draft7`, in the suite at `folder`: the required ones, or those of a part. */
export function suiteGroups(folder: string, draft: string, part = ""): SuiteGroup[] {
  const path = join(folder, "tests", draft, part);
  const files = readdirSync(path).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const groups = readJson(join(path, name)) as unknown as Omit<SuiteGroup, "topic">[];
    return groups.map((group) => ({ ...group, topic: name.replace(/\.json$/, "") }));
  });
}

/** Whether a group needs schemas of other addresses. */
export function needsRemotes(group: SuiteGroup): boolean {
  return JSON.stringify(group.schema).includes(remoteBase);
}

/** The schemas that groups of `draft` may refer to: its own and those of no draft. */
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
