import { globSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { queuesOf } from "../../../cli/deploy/worker-configs.ts";
import { committedConfigs } from "../../../cli/deploy/write-configs.ts";
import { root } from "../../../cli/local/root.ts";
import { type Checkout, checkout } from "../checkout.ts";
import type { Cloud, CloudOptions } from "../cloud/cloud.ts";
import { evaluated, inventory } from "./evaluated.ts";
import { deploy, equal, includes, NAME, on, page, type Scene } from "./scene.ts";

const queues = queuesOf((await committedConfigs()).api);

/** The lanes' queues except the first, as after an interrupted deployment; saves a second of wrangler for each. */
const queuesOfLanes = () =>
  new Map(
    queues
      .filter((one) => one.includes("evaluate-"))
      .map((one, i) => {
        const name = one.replace("assay", NAME);
        return [name, { id: `${i}`.padStart(32, "0"), name, consumer: null }];
      }),
  );

/** Shares this folder's cached bundles of the site, since bundling takes longer than rendering all pages. */
function shareBundle({ folder }: Checkout): void {
  const bundles = join(".cache", "site-runs");
  mkdirSync(join(folder, bundles), { recursive: true });
  for (const name of globSync(join(bundles, "bundle-*"), { cwd: root })) {
    symlinkSync(join(root, name), join(folder, name), "junction");
  }
}

const first: Scene = {
  name: "first deployment, from a fresh folder",
  isQuick: true,
  play: () =>
    on({ account: { queues: queuesOfLanes() } }, async (cloud, fresh, findings) => {
      shareBundle(fresh);
      const args = ["--location", "weur", "--plan", "paid", "--yes"];
      const { code, text } = await deploy(cloud, fresh, NAME, args).ended;
      findings.add("npm run deploy succeeds", () => (code === 0 ? undefined : text.slice(-600)));
      if (code !== 0) return;
      findings.add("database, bucket and Worker are in the requested locations", () =>
        equal(places(cloud), ["weur", "weur", { mode: "targeted", region: "aws:eu-central-1" }]),
      );
      findings.add("the account has exactly the deployment's resources", () =>
        equal(inventory(cloud), {
          databases: [NAME],
          buckets: [`${NAME}-results`],
          queues: queues.map((one) => `${one.replace("assay", NAME)}: ${NAME}`).sort(),
          workers: [
            [`${NAME}-site`, 0],
            [NAME, 1],
          ],
          secrets: ["SECRETS_KEY", "OPERATOR_SECRET", "SIGNING_KEY"],
        }),
      );
      const home = await page(cloud, "/");
      findings.add("the address shows the site", () => includes(home.text, "Assay is open source"));
      const health = await page(cloud, "/healthz");
      findings.add("the service answers", () => equal(health.status, 200));
      const score = await evaluated(cloud);
      findings.add("perfect answers are evaluated to 1", () => equal(score, "finished 1"));
    }),
};

const places = ({ account: { databases, buckets, scripts } }: Cloud) => [
  ...[...databases.values()].map(({ location }) => location),
  ...buckets.values(),
  scripts.get(NAME)?.metadata.placement,
];

/** Reads the home page at intervals. */
function watched(cloud: Cloud, note: (status: number) => void) {
  let isOver = false;
  const watching = async () => {
    while (!isOver) {
      note((await page(cloud, "/")).status);
      await setTimeout(500);
    }
  };
  void watching();
  return {
    stop: () => {
      isOver = true;
    },
  };
}

const otherNames: Scene = {
  name: "two deployments in one account, one deployed again from a machine that has no files of it, while the site is read",
  isQuick: false,
  play: () =>
    on({}, async (cloud, fresh, findings) => {
      for (const name of [NAME, "beta"]) {
        const { code, text } = await deploy(cloud, fresh, name).ended;
        findings.add(`${name} is deployed`, () => (code === 0 ? undefined : text.slice(-600)));
      }
      await evaluated(cloud);
      const before = inventory(cloud);
      const { limits } = rateLimits(cloud);
      findings.add("they share no rate limit", () => equal(new Set(limits).size, limits.length));
      const elsewhere = checkout();
      try {
        const site = ["--site-only", "--yes"];
        const { code, text } = await deploy(cloud, elsewhere, NAME, site, {}).ended;
        findings.add("a workflow without the secrets rebuilds only the site", () =>
          code === 0 ? undefined : text.slice(-600),
        );
        const seen = new Set<number>();
        const watch = watched(cloud, (status) => seen.add(status));
        const whole = await deploy(cloud, elsewhere, NAME, ["--yes"], {}).ended;
        watch.stop();
        findings.add("and deploys everything with the state in the account", () =>
          whole.code === 0 ? undefined : whole.text.slice(-600),
        );
        findings.add("nothing was made twice", () => equal(inventory(cloud), before));
        findings.add("the site is always available", () => equal([...seen], [200]));
        const kept = await page(cloud, "/v1/leaderboard?suite=extraction&dataset=stock");
        findings.add("the board has the earlier run", () =>
          includes(kept.text, "rehearsal/perfect"),
        );
      } finally {
        elsewhere.remove();
      }
    }),
};

const rateLimits = ({ account }: Cloud) => ({
  limits: [...account.scripts.values()].flatMap(({ metadata }) =>
    (metadata.bindings ?? [])
      .filter(({ type }) => type === "ratelimit")
      .map((one) => one["namespace_id"]),
  ),
});

/** A deployment that is interrupted at its first API call of each kind. */
const interrupted: Scene = {
  name: "Ctrl-C at each step, then the same command again",
  isQuick: false,
  play: async () => {
    const met = new Set<string>();
    let stop: (() => void) | null = null;
    return on(
      {
        intercept: (call) => {
          const kind = call.replace(/[0-9a-f-]{32,36}/g, ":id").replace(/\?.*/, "");
          if (call.startsWith("GET") || met.has(kind)) return undefined;
          met.add(kind);
          stop?.();
          return undefined;
        },
      },
      async (cloud, fresh, findings) => {
        for (let attempt = 1; attempt <= 60; attempt++) {
          const run = deploy(cloud, fresh);
          stop = () => run.interrupt();
          const { code, text } = await run.ended;
          if (code === 0) {
            findings.add(`${attempt - 1} interruptions, then it is deployed`, () =>
              attempt > 10 ? undefined : `only ${attempt - 1}`,
            );
            break;
          }
          const isTold = code === 130 || code === null || text.includes("Run the same command");
          if (!isTold)
            findings.add(`attempt ${attempt} ends with a sentence`, () => text.slice(-400));
        }
        const { databases, buckets, workers, queues } = inventory(cloud);
        findings.add("nothing was made twice", () =>
          equal(
            [databases, buckets, workers, new Set(queues)].map((all) => [...all].length),
            [1, 1, 2, queues.length],
          ),
        );
        const home = await page(cloud, "/");
        findings.add("the address shows the site", () =>
          includes(home.text, "Assay is open source"),
        );
        const score = await evaluated(cloud);
        findings.add("perfect answers are evaluated to 1", () => equal(score, "finished 1"));
      },
    );
  },
};

/** Deployments that fail. Each ends with one sentence that says what to do, and can be repeated. */
const refusals: readonly { name: string; options: Partial<CloudOptions>; says: string }[] = [
  { name: "R2 is off", options: { account: { hasR2: false } }, says: "R2 must be enabled" },
  { name: "a token without D1", options: { without: ["D1"] }, says: "A token needs Edit on" },
  {
    name: "a token without Queues",
    options: { without: ["Queues"] },
    says: "A token needs Edit on",
  },
  {
    name: "a token without Workers Scripts",
    options: { without: ["Workers Scripts"] },
    says: "A token needs Edit on",
  },
  {
    name: "a token without R2",
    options: { without: ["Workers R2 Storage"] },
    says: "A token needs Edit on",
  },
  {
    name: "a token that shows no account",
    options: { without: ["Account Settings"] },
    says: "Read on Account Settings",
  },
  {
    name: "no workers.dev subdomain",
    options: { account: { subdomain: null } },
    says: "workers.dev subdomain",
  },
  {
    name: "a free account taken for a paid one",
    options: { account: { plan: "free" } },
    says: "--plan free",
  },
];

const refused = ({ name, options, says }: (typeof refusals)[number]): Scene => ({
  name: `refused: ${name}`,
  isQuick: name === "R2 is off",
  play: () =>
    on(options, async (cloud, fresh, findings) => {
      const { code, text } = await deploy(cloud, fresh).ended;
      findings.add("it ends with 2", () => equal(code, 2));
      findings.add("it says what to do", () => includes(text, says));
      findings.add("without a stack", () =>
        /\n {4}at /.test(text) ? text.slice(-400) : undefined,
      );
    }),
});

const free: Scene = {
  name: "the Free plan",
  isQuick: false,
  play: () =>
    on({ account: { plan: "free" } }, async (cloud, fresh, findings) => {
      const { code, text } = await deploy(cloud, fresh, NAME, ["--plan", "free", "--yes"]).ended;
      findings.add("npm run deploy -- --plan free succeeds", () =>
        code === 0 ? undefined : text.slice(-600),
      );
      const score = await evaluated(cloud);
      findings.add("perfect answers are evaluated to 1", () => equal(score, "finished 1"));
    }),
};

export const deployScenes: readonly Scene[] = [
  interrupted,
  first,
  otherNames,
  free,
  ...refusals.map(refused),
];
