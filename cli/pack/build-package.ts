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

/** Packages in the package's own node_modules: the types of the client are those of its dependency. */
const bundledPackages = ["openapi-fetch", "openapi-typescript-helpers"];

/** Files at the same paths as in a clone, where the code looks for them. */
const copied = [
  "LICENSE",
  "migrations",
  "cli/config/starting-config.yaml",
  ...bundledPackages.flatMap((name) =>
    ["package.json", "LICENSE", "dist"].map((path) => `node_modules/${name}/${path}`),
  ),
];

/** Drizzle's notes on migrations, and what debuggers or CommonJS would read of a bundled package. */
const isLeftOut = /migrations.meta|\.map$|\.c[jt]s$/;

/** Allows bundled CommonJS packages to load modules of Node. */
const requireLine =
  'import { createRequire as _createRequire } from "node:module"; const require = _createRequire(import.meta.url);';

/**
 * Writes the npm package `assay-evals` into a folder, which is replaced: commands, client, and everything of a service of
 * this machine but its runtime. It has the layout of a clone, with bundles instead of sources.
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

/** Modules of OpenAI's client, in the syntax of Go. */
const unusedInterfaces =
  /openai\/resources\/(admin\/admin|beta\/beta|evals\/evals|fine-tuning\/fine-tuning|vector-stores\/vector-stores|containers\/containers|conversations\/conversations|skills\/skills)\.mjs$/;

/** `FineTuning` of `fine-tuning.mjs`. */
const classIn = (path: string): string =>
  basename(path, ".mjs")
    .split("-")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("");

/**
 * Leaves out what no command uses: messages of zod in 60 languages (190 kB), MCP's larger validator (150 kB), and the
 * parts of OpenAI's client for interfaces that Assay does not use, such as those of administrators (150 kB).
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
 * The commands, the simulator and the pages of reports and comparisons, which share chunks. Every file of the commands is two folders
 * deep like the sources, because these find other files from their own place.
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
    // Lists of 61 languages that are not used would stay in the CommonJS file: 200 kB.
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
  // Indentation is a third of the file.
  const short = (await apiTypes()).replace(/^ +/gm, "");
  write(folder, join("client", "api.d.ts"), short);
  return [];
}

/** Types of the API for its client. A field with a default may be left out of a body, and is there in a reply. */
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

/** Names of the schemas in a value, and of those in these. */
function namesIn(value: unknown, schemas: Schemas, names = new Set<string>()): Set<string> {
  const text = JSON.stringify(value) ?? "";
  for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!names.has(name)) namesIn(schemas[name], schemas, names.add(name));
  }
  return names;
}

/** Deletes the defaults of schemas and of those that they name. What replies have, too, is copied, and keeps its own. */
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
