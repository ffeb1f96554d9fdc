import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { root } from "../../cli/local/root.ts";
import type { Json } from "../../shared/contracts/json.ts";
import { miniflare } from "../rehearsal/cloud/miniflare.ts";
import { hostileCases } from "./hostile-schemas.ts";
import { remoteSchemas, type SuiteGroup, suiteGroups } from "./suite-groups.ts";

/** Compiles a schema of a draft to a function that returns whether a value is valid; null: undecidable. */
type Compile = (
  schema: unknown,
  draft: string,
  known: [address: string, schema: unknown][],
) => Promise<(value: unknown) => boolean | null>;

const drafts = {
  "draft-07": { folder: "draft7", address: "http://json-schema.org/draft-07/schema#" },
  "2019-09": {
    folder: "draft2019-09",
    address: "https://json-schema.org/draft/2019-09/schema",
  },
  "2020-12": {
    folder: "draft2020-12",
    address: "https://json-schema.org/draft/2020-12/schema",
  },
};

/** Validators that generate no code, which Workers forbid. Versions are the newest of November 2026. */
const validators = [
  {
    name: "ours",
    packages: [],
    source: `import { readSchema } from ${JSON.stringify(join(root, "shared/measures/json-schema/read-schema.ts"))};
      export const compile = async (schema, draft, known) => {
        const { validate } = readSchema(schema, false, new Map(known));
        return (value) => { const judged = validate(value); return judged.ok ? judged.value.length === 0 : null; };
      };`,
  },
  {
    name: "@cfworker/json-schema 4.1.6",
    packages: ["@cfworker/json-schema@4.1.6"],
    source: `import { Validator } from "@cfworker/json-schema";
      export const compile = async (schema, draft, known) => {
        const validator = new Validator(schema, draft.replace("draft-07", "7"), true);
        for (const [address, one] of known) validator.addSchema(one, address);
        return (value) => validator.validate(value).valid;
      };`,
  },
  {
    name: "@hyperjump/json-schema 1.18.0",
    packages: ["@hyperjump/json-schema@1.18.0"],
    source: `import { registerSchema, unregisterSchema, validate } from "@hyperjump/json-schema/draft-2020-12";
      import "@hyperjump/json-schema/draft-2019-09";
      import "@hyperjump/json-schema/draft-07";
      let count = 0;
      export const compile = async (schema, draft, known) => {
        const dialect = { "draft-07": "http://json-schema.org/draft-07/schema", "2019-09": "https://json-schema.org/draft/2019-09/schema", "2020-12": "https://json-schema.org/draft/2020-12/schema" }[draft];
        for (const [address, one] of known) {
          unregisterSchema(address);
          try { registerSchema(one, address, dialect); } catch {}
        }
        const address = "https://schemas.test/" + count++;
        registerSchema(schema, address, dialect);
        const judge = await validate(address).finally(() => unregisterSchema(address));
        return (value) => judge(value).valid;
      };`,
  },
  {
    name: "jsonschema 1.5.0",
    packages: ["jsonschema@1.5.0"],
    source: `import { Validator } from "jsonschema";
      export const compile = async (schema, draft, known) => {
        const validator = new Validator();
        for (const [address, one] of known) validator.addSchema(one, address);
        return (value) => validator.validate(value, schema).valid;
      };`,
  },
];

/** The schema and value of an extraction sample. */
const stock = JSON.parse(
  readFileSync(join(root, "shared/suites/extraction/stock.jsonl"), "utf8").split("\n")[0]!,
) as { schema: Json; expected_output: Json };

/** Time limit of a hostile case. */
const PATIENCE_MS = 5_000;

/** Bundles a validator into one module; returns its path and its minified, gzipped size. */
function built(folder: string, name: string, source: string) {
  const path = join(folder, `${name.replace(/\W+/g, "-")}.mjs`);
  const minified = (minify: boolean) =>
    buildSync({
      stdin: { contents: source, resolveDir: folder, loader: "js" },
      nodePaths: [join(folder, "node_modules")],
      bundle: true,
      format: "esm",
      platform: "neutral",
      mainFields: ["module", "main"],
      conditions: ["worker", "browser", "import"],
      external: ["node:*"],
      target: "es2024",
      write: false,
      minify,
      logLevel: "silent",
    }).outputFiles[0]!.contents;
  writeFileSync(path, minified(false));
  return { path, bytes: gzipSync(minified(true)).length };
}

/** Groups of the official suite that pass, by draft. */
async function correctness(suite: string, compile: Compile): Promise<string[]> {
  const rates: string[] = [];
  for (const [draft, { folder, address }] of Object.entries(drafts)) {
    const groups = suiteGroups(suite, folder);
    const known = [...remoteSchemas(suite, folder)];
    let passed = 0;
    for (const group of groups)
      passed += Number(await passes(group, compile, draft, address, known));
    rates.push(`${passed}/${groups.length} (${((100 * passed) / groups.length).toFixed(1)} %)`);
  }
  return rates;
}

async function passes(
  { schema, tests }: SuiteGroup,
  compile: Compile,
  draft: string,
  address: string,
  known: [string, unknown][],
): Promise<boolean> {
  const dated = typeof schema === "object" ? { $schema: address, ...schema } : schema;
  try {
    const judge = await compile(dated, draft, known);
    return tests.every(({ data, valid }) => judge(data) === valid);
  } catch {
    return false;
  }
}

const COMPILES = 5_000;
const VALIDATIONS = 50_000;

const TIMED_WORKER = `
  import { compile } from "./validator.mjs";
  export default { async fetch(request) {
    const { schema, value, compiles, times } = await request.json();
    let judge = await compile(schema, "2020-12", []);
    for (let i = 0; i < compiles; i++) judge = await compile(schema, "2020-12", []);
    for (let i = 0; i < times; i++) if (judge(value) === false) throw new Error("the value is valid");
    return new Response("done");
  } };`;

/** Mean times of one compilation and one validation in workerd; null if it does not run there. */
async function speed(path: string): Promise<{ compileUs: number; validateUs: number } | null> {
  const { Miniflare, convertV4MiniflareOptions } = miniflare();
  const modules = [
    { type: "ESModule", path: "main.mjs", contents: TIMED_WORKER },
    { type: "ESModule", path: "validator.mjs", contents: readFileSync(path, "utf8") },
  ];
  const options = { modules, compatibilityDate: "2026-11-02" };
  const runtime = new Miniflare(convertV4MiniflareOptions(options));
  const timed = async (compiles: number, times: number) => {
    const begun = performance.now();
    const body = JSON.stringify({
      schema: stock.schema,
      value: stock.expected_output,
      compiles,
      times,
    });
    const reply = await runtime.dispatchFetch("http://a.test", { method: "POST", body });
    if (reply.status !== 200) throw new Error(await reply.text());
    return performance.now() - begun;
  };
  try {
    await timed(200, 2_000);
    const [none, compiling, validating] = [
      await timed(0, 0),
      await timed(COMPILES, 0),
      await timed(0, VALIDATIONS),
    ];
    return {
      compileUs: ((compiling - none) * 1_000) / COMPILES,
      validateUs: ((validating - none) * 1_000) / VALIDATIONS,
    };
  } catch (error) {
    console.error(`in workerd: ${String(error).split("\n")[0]}`);
    return null;
  } finally {
    await runtime.dispose();
  }
}

const HOSTILE_WORKER = `
  import { parentPort, workerData } from "node:worker_threads";
  const { compile } = await import(workerData.validator);
  const { hostileCases } = await import(workerData.cases);
  const { schema, value } = hostileCases[workerData.name];
  try { parentPort.postMessage((await compile(schema, "2020-12", []))(value)); }
  catch { parentPort.postMessage(null); }`;

/** A validator's verdict on a hostile case; null: refused; "late": timed out, or its thread died. */
function answerTo(path: string, name: string): Promise<boolean | null | "late"> {
  const validator = pathToFileURL(path).href;
  const cases = import.meta.resolve("./hostile-schemas.ts");
  const worker = new Worker(HOSTILE_WORKER, { eval: true, workerData: { validator, cases, name } });
  const { promise, resolve } = Promise.withResolvers<boolean | null | "late">();
  const timer = setTimeout(() => resolve("late"), PATIENCE_MS);
  worker.on("message", resolve).on("error", () => resolve("late"));
  return promise.finally(() => {
    clearTimeout(timer);
    void worker.terminate();
  });
}

/** Numbers of hostile cases with the right verdict, refused, with a wrong verdict, and timed out. */
async function hostility(path: string): Promise<string> {
  const counts = { right: 0, refused: 0, wrong: 0, late: 0 };
  for (const [name, { valid }] of Object.entries(hostileCases)) {
    const answer = await answerTo(path, name);
    if (answer === "late") counts.late++;
    else if (answer === null) counts.refused++;
    else if (valid === null || answer === valid) counts.right++;
    else counts.wrong++;
  }
  return Object.values(counts).join(" / ");
}

/** Prints a Markdown table of validators. `suite` is the folder of the official test suite. */
export async function compareValidators(suite: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const packages = validators.flatMap((one) => one.packages);
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  const head = ["validator", ...Object.keys(drafts), "KB, gzip", "compile, µs", "validate, µs"];
  const last = "hostile: right / refused / wrong / over 5 s";
  console.log(`| ${[...head, last].join(" | ")} |\n|${" --- |".repeat(head.length + 1)}`);
  for (const { name, source } of validators) {
    const { path, bytes } = built(folder, name, source);
    const { compile } = (await import(pathToFileURL(path).href)) as { compile: Compile };
    const times = await speed(path);
    const cells = [
      name,
      ...(await correctness(suite, compile)),
      (bytes / 1_000).toFixed(1),
      times === null ? "does not run" : Math.max(0, times.compileUs).toFixed(0),
      times?.validateUs.toFixed(1) ?? "does not run",
      await hostility(path),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
