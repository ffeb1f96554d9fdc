import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build, type Plugin, transform } from "esbuild";
import openapiTypes, { astToString } from "openapi-typescript";
import { suites } from "#shared/suites/registry.ts";
import { Children } from "../local/processes.ts";
import { root } from "../local/root.ts";
import { RUNTIME_FOLDER } from "../local/runtime-packages.ts";
import {
  BUNDLE_OPTIONS,
  PACKED_SCRIPT,
  PACKED_WORKER,
  workerBundle,
} from "../local/worker-bundle.ts";
import { componentOptions, packedPage, pageModule, pageNames } from "../report/load-page.ts";
import { licences, packageOf } from "./licences.ts";
import { type LockedPackage, partialInstall } from "./runtime-lock.ts";

const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

/** Oldest supported version of Node. */
const TARGET = "node22";

/** Packages in the node_modules of the package, because the client's types refer to them. */
const bundledPackages = ["openapi-fetch", "openapi-typescript-helpers"];

/** Files that are copied to the same paths as in a clone, where the code expects them. */
const copied = [
  "LICENSE",
  "migrations",
  "cli/config/starting-config.yaml",
  ...bundledPackages.flatMap((name) =>
    ["package.json", "LICENSE", "dist"].map((path) => `node_modules/${name}/${path}`),
  ),
];

/** Left out: Drizzle's notes on migrations, and files of packages for debuggers and CommonJS. */
const isLeftOut = /migrations.meta|\.map$|\.c[jt]s$/;

/** Allows bundled CommonJS packages to load modules of Node. */
const requireLine =
  'import { createRequire as _createRequire } from "node:module"; const require = _createRequire(import.meta.url);';

/**
 * Writes the npm package `assay-evals` into a folder, which is replaced: commands, client, and a local
 * service without its runtime. The package has the layout of a clone, with bundles instead of sources.
 */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, "cli", "pack", "package"), folder, { recursive: true });
  for (const path of copied) {
    const filter = (name: string) => !isLeftOut.test(name);
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  for (const { id } of suites) {
    const path = `shared/suites/${id}/stock.jsonl`;
    write(folder, `${path}.br`, brotliCompressSync(readFileSync(join(root, path)), COMPRESSION));
  }
  const inputs = await Promise.all([
    bundleCommands(folder),
    packWorker(folder),
    packApiTypes(folder),
  ]);
  const packages = new Set([
    ...bundledPackages.map((name) => `node_modules/${name}`),
    ...inputs.flat().flatMap((file) => packageOf(file) ?? []),
  ]);
  write(folder, "THIRD-PARTY-LICENSES.txt", licences(root, packages));
  const { manifest, lock } = partialInstall(lockedPackages(), "miniflare");
  write(folder, join(RUNTIME_FOLDER, "package.json"), json(manifest));
  write(folder, join(RUNTIME_FOLDER, "package-lock.json"), json(lock));
  write(folder, "package.json", json(packageManifest()));
}

/** Modules of OpenAI's client, as a Go regular expression. */
const unusedInterfaces =
  /openai\/resources\/(admin\/admin|beta\/beta|evals\/evals|fine-tuning\/fine-tuning|vector-stores\/vector-stores|containers\/containers|conversations\/conversations|skills\/skills)\.mjs$/;

/** `FineTuning` of `fine-tuning.mjs`. */
const classIn = (path: string): string =>
  basename(path, ".mjs")
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");

/**
 * Leaves out unused code: messages of zod in 60 languages (190 kB), MCP's larger validator (150 kB), and the
 * parts of OpenAI's client for APIs that Assay does not use, such as administration (150 kB).
 */
const smaller: Plugin = {
  name: "smaller",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
    onLoad({ filter: unusedInterfaces }, ({ path }) => ({
      contents: `export class ${classIn(path)} {}`,
    }));
    onLoad({ filter: /modelcontextprotocol\/server\/dist\/shimsNode\.mjs$/ }, ({ path }) => ({
      contents: `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "./validators/cfWorker.mjs";
        export { default as process } from "node:process";`,
      resolveDir: dirname(path),
    }));
  },
};

/**
 * Bundles the commands, the simulator and the pages of reports and comparisons, which share chunks. Command files are
 * two folders deep like the sources, because they locate other files relative to their own path.
 */
async function bundleCommands(folder: string): Promise<string[]> {
  const { metafile } = await build({
    ...componentOptions,
    absWorkingDir: root,
    entryPoints: [
      { in: "cli/assay.ts", out: "cli/dist/assay" },
      { in: "cli/score/scoring-thread.ts", out: "cli/dist/scoring-thread" },
      { in: "simulator/start-simulator.ts", out: "simulator/start-simulator" },
      ...pageNames.map((name) => ({ in: pageModule(name), out: packedPage(name) })),
    ],
    outdir: folder,
    chunkNames: "cli/dist/[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    target: TARGET,
    banner: { js: requireLine },
    external: ["esbuild"],
    // The CommonJS file would contain unused lists of 61 languages, 200 kB.
    alias: { stopword: join(root, "node_modules", "stopword", "dist", "stopword.esm.mjs") },
    plugins: [smaller],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

/** The Worker of `npm start`, minified and compressed. */
async function packWorker(folder: string): Promise<string[]> {
  const made = mkdtempSync(join(tmpdir(), "assay-pack-"));
  const children = new Children(join(made, "processes.json"));
  try {
    const log = join(made, "bundle.log");
    const { script, sources = [], ...bundle } = await workerBundle({ entry: null, children, log });
    const { code } = await transform(script, {
      minify: true,
      format: "esm",
      target: "esnext",
      charset: "utf8",
      legalComments: "none",
    });
    const { rootPath: _, ...portable } = bundle.options;
    write(folder, join(PACKED_WORKER, PACKED_SCRIPT), brotliCompressSync(code, COMPRESSION));
    write(folder, join(PACKED_WORKER, BUNDLE_OPTIONS), json({ ...bundle, options: portable }));
    return sources;
  } finally {
    await children.stop();
    rmSync(made, { recursive: true, force: true });
  }
}

async function packApiTypes(folder: string): Promise<string[]> {
  // Indentation, and the methods that a path does not have, are a third of the file.
  const absent = /^ +((get|put|post|delete|options|head|patch|trace)\?: never;\n)?/gm;
  const short = (await apiTypes()).replace(absent, "");
  write(folder, join("client", "api.d.ts"), short);
  return [];
}

/**
 * Types of the API for the client. A field with a default is optional in a request body, and always present in a reply.
 */
export async function apiTypes(): Promise<string> {
  const path = join(root, "shared", "contracts", "openapi.gen.json");
  const document = JSON.parse(readFileSync(path, "utf8")) as OpenApi;
  const { schemas } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const bodies = operations.map(({ requestBody }) => requestBody);
  const replies = operations.map(({ responses }) => responses);
  leaveOutDefaults(bodies, schemas, namesIn(replies, schemas), new Set());
  return astToString(await openapiTypes(JSON.stringify(document)));
}

type Schemas = Record<string, unknown>;

interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: unknown; responses?: unknown }>>;
  components: { schemas: Schemas };
}

/** Names of all schemas that a value refers to, directly or indirectly. */
function namesIn(value: unknown, schemas: Schemas, names = new Set<string>()): Set<string> {
  const text = JSON.stringify(value) ?? "";
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!names.has(name)) namesIn(schemas[name], schemas, names.add(name));
  }
  return names;
}

/** Deletes defaults in schemas and in schemas to which they refer. Schemas that replies also use are copied first. */
function leaveOutDefaults(
  value: unknown,
  schemas: Schemas,
  ofReplies: ReadonlySet<string>,
  seen: Set<unknown>,
) {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  const name = basename((value as { $ref?: string }).$ref ?? "");
  if (ofReplies.has(name)) {
    Reflect.deleteProperty(value, "$ref");
    Object.assign(value, structuredClone(schemas[name]));
  } else leaveOutDefaults(schemas[name], schemas, ofReplies, seen);
  Reflect.deleteProperty(value, "default");
  for (const one of Object.values(value)) leaveOutDefaults(one, schemas, ofReplies, seen);
}

function lockedPackages(): Record<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return lock.packages as Record<string, LockedPackage>;
}

function packageManifest(): object {
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { version, description, license, devDependencies } = own;
  return {
    name: "assay-evals",
    version,
    description,
    license,
    keywords: ["llm", "evaluation", "benchmark", "leaderboard"],
    type: "module",
    engines: { node: ">=22" },
    bin: { assay: "cli/assay.mjs" },
    exports: {
      "./client": { types: "./client/index.d.ts", default: "./client/index.js" },
      "./package.json": "./package.json",
    },
    dependencies: { "openapi-fetch": devDependencies["openapi-fetch"] },
    bundleDependencies: ["openapi-fetch"],
  };
}

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

function write(folder: string, path: string, text: string | Uint8Array): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
