import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { parseEnv } from "node:util";
import type { AnswerFiles } from "./answer-files.ts";
import { loadMiniflare, openRuntime } from "./miniflare.ts";
import { type Children, ownProcesses } from "./processes.ts";
import { root } from "./root.ts";
import type { SiteReply, SiteRequest } from "./site-files.ts";
import { bundled, type WorkerBundle } from "./worker-bundle.ts";
import { secretsOf, stateOf } from "./wrangler.ts";

/** Interval of the cron trigger; on the platform, it is a minute. */
const CRON_MS = 20_000;
/** The local runtime's path for firing the cron trigger. */
export const CRON_PATH = "/cdn-cgi/local/scheduled";
/**
 * A small heap with frequent garbage collection: each request leaves a few kB that V8 does not count, and by default V8
 * collects only after hundreds of MB. Less memory would cost time: with 2 MB of young generation and a growth of 20%,
 * a run takes 45 MB less and 15% more CPU. Flushed bytecode would have to be compiled again in the next run.
 */
const V8_FLAGS =
  "--max-semi-space-size=8 --initial-old-space-size=4 --heap-growing-percent=50 --no-flush-bytecode";
/** Miniflare's level of warnings. */
const WARN = 2;
/** Variable for the address at which the service listens, which differs in a container. */
const HOST_VARIABLE = "ASSAY_HOST";

/** Additional CA certificates; on Windows, workerd does not find the default ones itself. */
const TRUSTED = getCACertificates(process.platform === "win32" ? "default" : "extra");
/**
 * Miniflare sends the Worker's fetches through another Worker, which takes a third of the time of a request. This
 * binding is the same network without the other Worker; certificates in NODE_EXTRA_CA_CERTS are also trusted.
 */
const NETWORK = {
  allow: ["public", "private", "240.0.0.0/4"],
  tlsOptions: { trustBrowserCas: true, trustedCertificates: TRUSTED },
};

/**
 * Unlike Cloudflare, the local runtime does not limit the number of pending requests, so most runs need only a
 * single lane: lanes cause most of a run's overhead, and several lanes share its last units unevenly. Neither
 * does it limit the calls of an invocation, so one invocation can complete a lane of 10,000 samples.
 */
const LANES = { LANE_REQUESTS: "64", LANES_MAX: "16", INVOCATION_CALLS: "20000" };

export interface RuntimeOptions {
  /** Folder of databases, objects and secrets. */
  folder: string;
  port: number;
  bundle: WorkerBundle;
  /** Folder of the runtime's packages. */
  packages: string;
  /** Replaces variables of wrangler.toml. */
  vars: Record<string, string>;
  /** Answers requests for pages of the site. */
  site: (asked: SiteRequest) => Promise<SiteReply>;
  /** Answers that runs reuse. */
  answers: AnswerFiles;
  children: Children;
  log: string;
  /** Called when workerd crashed and was started again. */
  onRestart: () => void;
}

/** Serves the Worker and the site in one workerd process. Returns a function that ends it. */
export async function startRuntime(options: RuntimeOptions): Promise<() => Promise<void>> {
  const { folder, port, bundle, packages, vars, site, answers, children, onRestart } = options;
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = V8_FLAGS;
  const miniflare = loadMiniflare(packages);
  const { Log, Response } = miniflare;
  const log = createWriteStream(options.log, { flags: "a", mode: 0o600 });
  const write = (line: string) => void log.write(`${line}\n`);
  const noteProcess = () => children.note(ownProcesses("workerd serve"));
  const { shared, worker } = bundled(bundle);
  const runtime = await openRuntime(miniflare, {
    ...shared,
    host: process.env[HOST_VARIABLE]?.trim() || "localhost",
    port,
    cf: false,
    // The path of `CRON_PATH`.
    unsafeTriggerHandlers: true,
    logRequests: false,
    log: Object.assign(new Log(WARN), { log: write }),
    handleStructuredLogs: ({ message }: { message: string }) => write(message),
    resourcePersistencePath: join(stateOf(folder), "v3"),
    resourceTmpPath: join(folder, "tmp"),
    unsafeHandleRuntimeRestart: () => {
      noteProcess();
      onRestart();
    },
    workers: [
      {
        ...worker,
        rootPath: root,
        name: "assay-local",
        bindings: { ...worker.bindings, ...LANES, ...secretsIn(folder), ...vars },
        serviceBindings: {
          ENDPOINTS: { network: NETWORK },
          SITE: async (request: Request) => {
            const { pathname: path, search } = new URL(request.url);
            const ifNoneMatch = request.headers.get("if-none-match");
            const { body, ...head } = await site({ path, search, ifNoneMatch });
            return new Response(request.method === "HEAD" ? null : body, head);
          },
          ANSWERS: async (request: Request) => {
            const key = new URL(request.url).pathname.slice(1);
            if (request.method === "PUT") {
              return new Response(null, {
                status: answers.write(key, await request.text()) ? 204 : 400,
              });
            }
            const kept = answers.read(key);
            return new Response(kept, { status: kept === null ? 404 : 200 });
          },
        },
      },
    ],
  });
  noteProcess();
  // Fired by a request, because miniflare's own trigger needs a thread of 25 MB.
  const cron = setInterval(() => {
    fetch(`http://localhost:${port}${CRON_PATH}`).then(
      (response) => response.body?.cancel(),
      (error: unknown) => write(`cron: ${error}`),
    );
  }, CRON_MS);
  return async () => {
    clearInterval(cron);
    await runtime.dispose();
    log.end();
  };
}

/** Secrets of a service, by name. */
export const secretsIn = (folder: string) => parseEnv(readFileSync(secretsOf(folder), "utf8"));
