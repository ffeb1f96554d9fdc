import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { quickStorage } from "./test/support/quick-storage.ts";
import SlowestFirst from "./test/support/slowest-first.ts";

/** Keys of the environment are for real judges, which tests don't call. */
const env = { ASSAY_JUDGES: "simulated" };

/** Machines are noisy: what is waited for may take its time. */
const expect = { poll: { timeout: 60_000 } };

/** Packages that the Worker imports, of hundreds of files. */
const bundledPackages = [
  "@cfworker/json-schema",
  "@hono/zod-openapi",
  "@noble/hashes/sha2.js",
  "@noble/hashes/utils.js",
  "@stdlib/stats-base-dists-binomial-quantile",
  "@stdlib/stats-base-dists-normal-cdf",
  "@stdlib/stats-base-dists-t-cdf",
  "@stdlib/stats-base-dists-t-quantile",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "hono",
  "hono/method-not-allowed",
  "hono/route",
  "openai",
  "tldts",
  "zod",
];

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/closing-line.ts", "./test/support/coverage-table.ts"],
    coverage: {
      // V8's own counts are not available inside workerd.
      provider: "istanbul",
      include: ["{api,shared}/**/*.ts"],
      exclude: ["**/*.d.ts", "**/__fixtures__/**"],
      reporter: ["html", "json"],
      reportOnFailure: true,
      thresholds: {
        "api/**": { statements: 90, lines: 90, branches: 85 },
        "shared/**": { statements: 90, lines: 90, branches: 90 },
      },
    },
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: "unit",
          env,
          isolate: false,
          setupFiles: ["test/support/unit-setup.ts", "test/support/undo-stubs.ts"],
          maxWorkers: 2,
          // Machines are noisy: no test is one of time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
          include: [
            "{api,cli,shared,site/src}/**/*.test.ts",
            "test/{bench,cli,conformance,demo-snapshot,endpoints,examples,exchanges,house,json-schema,openapi,scale,security,simulator,statistics}/**/*.test.ts",
          ],
        },
      },
      {
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml", environment: "local" },
            miniflare: {
              bindings: {
                MIGRATIONS: await readD1Migrations("migrations"),
                SECRETS_KEY: "a test key",
                // Of a key pair of RFC 8037, appendix A.
                SIGNING_KEY: "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g",
                CODE_REVISION: "a test revision",
                OWN_HOSTS: "assay.test,ci.assay.test",
                SITE_REBUILD_HOOK: "",
                // Tests read again at once what they have changed.
                PUBLIC_READS_KEPT_MS: "0",
                // Tests leave runs behind, whose seats others must not lack.
                LANES_MAX: "100000",
              },
              serviceBindings: {
                SITE: () => new Response("the site"),
                QUICK_BUCKET: quickStorage.bucket,
              },
              durableObjects: { QUICK_DATABASE: quickStorage.database },
              workers: [quickStorage.worker],
              ratelimits: { TIGHT_LIMIT: { namespace_id: "1", simple: { limit: 2, period: 60 } } },
            },
          })),
        ],
        test: {
          name: "worker",
          // The files of a thread share one Worker, which starts empty for each: a start costs seconds.
          isolate: false,
          // They wait for timers a third of the time.
          maxWorkers: 3,
          // A file each: to transform theirs one by one would take ten seconds.
          deps: { optimizer: { ssr: { enabled: true, include: bundledPackages } } },
          sequence: { groupOrder: 2 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
          include: ["test/{worker,faults/worker}/**/*.test.ts"],
          setupFiles: ["test/worker/setup.ts", "test/support/undo-stubs.ts"],
        },
      },
      {
        test: {
          name: "whole",
          env,
          include: ["test/{e2e,browser}/**/*.test.ts", "test/{faults,rehearsal}/*.test.ts"],
          globalSetup: ["test/browser/support/sites-folder.ts"],
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect,
          // They wait for servers, browsers and latencies half of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
