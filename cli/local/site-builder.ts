import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import type { Children } from "./processes.ts";
import { root } from "./root.ts";
import { openSite, type SiteReply, type SiteRequest } from "./site-files.ts";

/** Inputs of the pages, except results. */
const sources = [
  "site/src",
  "site/public",
  "shared",
  "docs",
  "examples",
  "CHANGELOG.md",
  "SECURITY.md",
];

/** Folder of the built pages; a build first writes changed files to a folder next to it. */
const NAME = "pages";

/** Address of the simulator in guides. */
const USUAL_SIMULATOR = "http://localhost:8790/v1";

/** Version before the first build; readers get a placeholder page of the API's Worker. */
const nothing: SiteReply = { status: 503, headers: {}, body: null };

/** A complete build, and hashes of its inputs. */
interface Build {
  name: string;
  sources: string;
}

interface SiteOptions {
  origin: string;
  /** Address of the simulator, for examples in guides. */
  simulator: string;
  /** Data folder of the service. */
  folder: string;
  /** Whether the site is rebuilt when results change. */
  isBuilt: boolean;
  children: Children;
}

/**
 * The site of a local service. It is built in a separate process, one build at a time, and served from
 * its newest complete build. A build that is pending when the service ends is done by the next service.
 */
export class LocalSite {
  readonly log: string;
  readonly #origin: string;
  readonly #simulator: string;
  readonly #isBuilt: boolean;
  readonly #children: Children;
  readonly #folder: string;
  #newest: Build | null;
  #served: ReturnType<typeof openSite> | null;
  #last = Promise.resolve(true);
  #prepared: Promise<unknown> = Promise.resolve();
  #isBuilding = false;
  #unfinished: string | null = null;
  #isHeld = false;

  constructor({ origin, simulator, folder, isBuilt, children }: SiteOptions) {
    this.log = join(folder, "site-build.log");
    this.#origin = origin;
    this.#simulator = simulator;
    this.#isBuilt = isBuilt;
    this.#children = children;
    this.#folder = join(folder, "site");
    mkdirSync(this.#folder, { recursive: true });
    this.#newest = readBuild(this.#note);
    this.#served = this.#newest && openSite(join(this.#folder, this.#newest.name));
  }

  /** A page or file of the site. */
  async answer(asked: SiteRequest): Promise<SiteReply> {
    if (this.#served === null) return nothing;
    const reply = await (await this.#served)(asked).catch(() => nothing);
    // While a new build replaces the old one, even the 404 page is missing.
    if (reply.status === 404 && reply.body === null) return nothing;
    const isGuide = asked.path.startsWith("/guides/") && !asked.path.endsWith(".webp");
    if (reply.body === null || !isGuide) return reply;
    // The simulator's addresses in guides get its current port.
    const text = Buffer.from(reply.body).toString().replaceAll(USUAL_SIMULATOR, this.#simulator);
    return { ...reply, body: Buffer.from(text) };
  }

  /** Bundles the code of the pages if a build will need it, while the demo is evaluated. */
  prepare(): void {
    if (!this.#isBuilt || this.isCurrent) return;
    this.#prepared = this.#runBuild(["--ahead"], "");
  }

  /** Requests a build. */
  request(): void {
    if (!this.#isBuilt) return;
    writeFileSync(this.#wanted, "");
    this.#go();
  }

  /** Postpones builds until `release`, because consecutive results need only one build. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#go();
  }

  /** Whether the newest build is of the current sources. */
  get isCurrent(): boolean {
    return this.#newest?.sources === newestChange();
  }

  /** Number of pages that the current build has written so far. */
  get pages(): number {
    return this.#unfinished === null ? 0 : pagesIn(this.#unfinished);
  }

  /** Resolves at the end of the current build, or at once without a build; whether the last build succeeded. */
  built(): Promise<boolean> {
    return this.#last;
  }

  /** Serves the rebuild hook only on this machine, and not for pages in a browser, which send an origin. */
  listen(port: number): Promise<Server> {
    const server = createServer((incoming, response) => {
      incoming.resume();
      const isOfPage = incoming.headers.origin !== undefined;
      const status = isOfPage ? 403 : incoming.method === "POST" ? 202 : 405;
      if (status === 202) this.request();
      response.writeHead(status).end();
    });
    return new Promise((resolve) => {
      server.listen(port, "127.0.0.1", () => resolve(server));
    });
  }

  #go(): void {
    if (this.#isHeld || this.#isBuilding || !existsSync(this.#wanted)) return;
    rmSync(this.#wanted);
    this.#isBuilding = true;
    this.#last = this.#build();
    // Requests during a build cause another build, unless building fails.
    void this.#last.then((isBuilt) => {
      this.#isBuilding = false;
      if (isBuilt) this.#go();
    });
  }

  /** Builds the site; returns whether it succeeded. */
  async #build(): Promise<boolean> {
    const build = { name: NAME, sources: newestChange() };
    const made = join(this.#folder, build.name);
    this.#unfinished = `${made}.new`;
    await this.#prepared;
    rmSync(this.log, { force: true });
    const code = await this.#runBuild([], this.#origin);
    this.#unfinished = null;
    if (code !== 0) {
      rmSync(`${made}.new`, { recursive: true, force: true });
      // The build was ended together with the service.
      if (code === null) writeFileSync(this.#wanted, "");
      return false;
    }
    const served = openSite(made);
    await served;
    this.#served = served;
    writeFileSync(this.#note, JSON.stringify(build));
    this.#newest = build;
    return true;
  }

  /** `origin`: address of the results; empty without results. */
  #runBuild(options: string[], origin: string): Promise<number | null> {
    // Addresses are inserted when pages are served.
    const addresses = { ASSAY_ORIGIN: origin, ASSAY_PUBLIC_ORIGIN: "", ASSAY_SITE_ORIGIN: "" };
    const env = { ...addresses, ASTRO_TELEMETRY_DISABLED: "1" };
    const command = [...siteBuild(join(this.#folder, NAME)), ...options];
    return this.#children.run(command, { cwd: root, log: this.log, env });
  }

  get #note(): string {
    return join(this.#folder, "newest.json");
  }

  get #wanted(): string {
    return join(this.#folder, "wanted");
  }
}

function readBuild(note: string): Build | null {
  try {
    const build = JSON.parse(readFileSync(note, "utf8")) as Build;
    return existsSync(join(note, "..", build.name, "404.html")) ? build : null;
  } catch {
    // The note does not exist or is incomplete.
    return null;
  }
}

/** Time of the newest change of the sources. */
function newestChange(): string {
  const files = sources.flatMap((source) => {
    const path = join(root, source);
    if (statSync(path).isFile()) return [path];
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  });
  return `${Math.max(...files.map((file) => statSync(file).mtimeMs))}`;
}

function pagesIn(folder: string): number {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".html")).length;
  } catch {
    // The build has not created the folder, or is deleting a folder in it.
    return 0;
  }
}

/**
 * The command that builds the site into a folder, to be run in the project's folder. Each page creates much short-lived
 * garbage.
 */
export const siteBuild = (outDir: string): string[] => [
  process.execPath,
  "--max-semi-space-size=128",
  join(root, "site", "build.mjs"),
  "--outDir",
  outDir,
];
