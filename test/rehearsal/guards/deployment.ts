import { isDeployedOnFree, type Kept, tests } from "./guard.ts";

const many = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i));

/** Limits of an account and of uploads. */
export const deploymentGuards = {
  "Static files of a Worker": {
    by: "pages of runs beyond the limit are drawn from the API",
    guards: [
      {
        code: ["site/src/data/page-files.ts", ".slice(0, count)"],
        without: "",
        testFile: "site/src/data/page-files.test.ts",
        title: "firstOf() takes items on boards first, then the newest, up to the limit",
      },
    ],
  },
  "Size of a static file": {
    by: "larger files are left out of the site",
    guards: [
      {
        code: ["site/src/data/leave-out-large.ts", "const MAX_FILE_BYTES = 24 * 1024 * 1024;"],
        without: "const MAX_FILE_BYTES = Infinity;",
        testFile: "site/src/data/leave-out-large.test.ts",
        title:
          "leaveOutOf() replaces pages that are too large with a short note, and keeps all others",
      },
    ],
  },
  "Rules in _headers": {
    by: "rules apply to folders, not to pages",
    guards: [
      {
        code: ["site/public/_headers", "/_astro/*"],
        without: many(100, (i) => `/models/${i}\n  X-Robots-Tag: none\n`).join("\n"),
        testFile: tests.house,
        title: "the site's _headers have few rules",
      },
    ],
  },
  "Cron triggers of an account": {
    by: "one trigger, every minute; its steps take turns",
    guards: [
      {
        code: ["wrangler.toml", 'crons = ["* * * * *"]'],
        without: `crons = [${many(6, (i) => `"${i} * * * *"`).join()}]`,
        ...isDeployedOnFree,
      },
    ],
  },
  "Variables and secrets of a Worker": {
    by: "one variable for each setting that a deployment may have",
    guards: [
      {
        code: ["wrangler.toml", "[vars]"],
        without: ["[vars]", ...many(64, (i) => `SETTING_${i} = ""`)].join("\n"),
        ...isDeployedOnFree,
      },
    ],
  },
  "Size of the Worker, compressed": {
    by: "the code is minified",
    guards: [
      {
        code: ["wrangler.toml", "minify = true"],
        without: "minify = false",
        testFile: tests.deploy,
        title: "bundles both Workers with the generated configuration, without an account",
      },
    ],
  },
  "A rate limit per caller and location": {
    by: "badges and boards come from the cache; the command line and the site poll every few seconds and obey Retry-After",
    guards: [
      {
        code: ["api/http/rate-limit.ts", "allowed.includes(false)"],
        without: "false",
        testFile: "test/worker/http/rate-limit.test.ts",
        title: "get 429 with the time to wait",
      },
    ],
  },
  /** All Workers of an account share the counters of a namespace. */
  "Namespaces of rate limits": {
    by: "each deployment has its own",
    guards: [
      {
        code: [
          "cli/deploy/worker-configs.ts",
          'namespaceOf(names.worker, Number(one["namespace_id"]))',
        ],
        without: 'String(one["namespace_id"])',
        testFile: tests.configs,
        title: "apiConfig() gives each deployment of an account its own rate limits and queues",
      },
    ],
  },
} as const satisfies Record<string, Kept>;
