import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { BadInput } from "../errors.ts";
import type { SuiteJudge } from "./local-judges.ts";
import type { Children } from "./processes.ts";
import { root } from "./root.ts";

/** Names of the files of a bundle. */
export const BUNDLE_SCRIPT = "worker.js";
export const BUNDLE_OPTIONS = "options.json";

const bundles = join(root, ".cache", "worker");
/** Folder of an installed package with the compressed bundle. */
export const PACKED_WORKER = "worker";
export const PACKED_SCRIPT = `${BUNDLE_SCRIPT}.br`;
/** Maximum stored bundles, including bundles of other entries and of running services with older sources. */
const KEPT = 6;

/** The Worker as one file, and its bindings from `[env.local]` of wrangler.toml. */
export interface WorkerBundle {
  script: string;
  /** Options of miniflare, derived by wrangler from its configuration. */
  options: Record<string, unknown> & {
    bindings?: Record<string, unknown>;
    serviceBindings?: Record<string, unknown>;
  };
  /** The judges of all suites, so that a start does not load the suites. */
  judges: SuiteJudge[];
  /** Files in the bundle, relative to the project; missing in an installed package. */
  sources?: string[];
}

interface Wanted {
  /** Entry file; null: from wrangler.toml. */
  entry: string | null;
  children: Children;
  log: string;
}

/**
 * Bundles the Worker with wrangler's settings, once for each state of its sources; later starts reuse the bundle.
 * Throws BadInput that names the log.
 */
export async function workerBundle({ entry, children, log }: Wanted): Promise<WorkerBundle> {
  const packed = join(root, PACKED_WORKER);
  if (existsSync(join(packed, BUNDLE_OPTIONS))) {
    return readBundle(packed, brotliDecompressSync(readFileSync(join(packed, PACKED_SCRIPT))));
  }
  const folder = join(bundles, sourceHash(entry));
  if (!existsSync(join(folder, BUNDLE_OPTIONS))) {
    const made = `${folder}.${process.pid}`;
    mkdirSync(made, { recursive: true });
    const program = join(root, "cli", "local", "bundle-worker.ts");
    const command = [process.execPath, program, made, ...(entry === null ? [] : [entry])];
    const code = await children.run(command, { cwd: root, log, env: {} });
    if (code !== 0) {
      rmSync(made, { recursive: true, force: true });
      throw new BadInput(`The Worker could not be bundled; see ${log}.`);
    }
    // If two processes bundle the same sources at the same time, the first wins.
    if (existsSync(folder)) rmSync(made, { recursive: true, force: true });
    else renameSync(made, folder);
    forgetOldest();
  }
  return readBundle(folder);
}

const readBundle = (folder: string, script = readFileSync(join(folder, BUNDLE_SCRIPT))) =>
  ({
    ...JSON.parse(readFileSync(join(folder, BUNDLE_OPTIONS), "utf8")),
    script: script.toString(),
  }) as WorkerBundle;

const ENTRY = 'export * from "./bundle.js"; export { default } from "./bundle.js";';

/**
 * Miniflare's options for a Worker that loads its script from this process. A script within the options would be copied
 * 138 times, 480 MB at each start.
 */
export const bundled = ({ script, options }: WorkerBundle) => ({
  shared: {
    unsafeModuleFallbackService: ({ url }: { url: string }): object =>
      new URL(url).searchParams.get("specifier") === "/bundle.js"
        ? Response.json({ name: "bundle.js", esModule: script })
        : new Response(null, { status: 404 }),
  },
  worker: {
    ...options,
    modules: [{ type: "ESModule", path: "entry.js", contents: ENTRY }],
    unsafeUseModuleFallbackService: true,
  },
});

/** Hash of all inputs of a bundle; packages are represented by the lock file. */
function sourceHash(entry: string | null): string {
  const hash = createHash("sha256").update(entry ?? "");
  for (const file of [
    "wrangler.toml",
    "package-lock.json",
    join("cli", "local", "bundle-worker.ts"),
    ...(entry === null ? [] : [...sourcesIn("simulator"), ...sourcesIn("test")]),
  ]) {
    hash.update(readFileSync(join(root, file)));
  }
  for (const file of [...sourcesIn("api"), ...sourcesIn("shared")]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex").slice(0, 32);
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(ts|tsx|json|sql|txt|html)$/.test(file.name))
    .filter(({ name }) => !name.endsWith(".test.ts"))
    .map((file) => join(file.parentPath, file.name).slice(root.length + 1))
    .toSorted();

function forgetOldest(): void {
  const found = readdirSync(bundles).filter((name) => /^[0-9a-f]{32}$/.test(name));
  const age = (name: string) => statSync(join(bundles, name)).mtimeMs;
  const oldest = found.toSorted((a, b) => age(b) - age(a)).slice(KEPT);
  for (const name of oldest) rmSync(join(bundles, name), { recursive: true, force: true });
}
