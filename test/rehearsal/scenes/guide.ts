import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fakeHub, newest } from "../../cli/support/fake-hub.ts";
import type { Checkout } from "../checkout.ts";
import type { Cloud } from "../cloud/cloud.ts";
import { guideCommands } from "../guide.ts";
import { evaluated, inventory } from "./evaluated.ts";
import { bearer, equal, includes, on, page, rowsOf, type Scene, secrets } from "./scene.ts";

/** Name and domain of the guide's deployment. */
const NAME = "assay";
const DOMAIN = "assay.example.com";
/** Placeholders of the guide. */
const [COMMIT, VERSION, MOMENT, BACKUP] = ["SHA", "VERSION", "2026-11-02T10:00:00Z", "/backup"];
const NEW_SECRET = "9".repeat(64);

/** The state of the deployment while the guide is followed. */
interface Stage {
  cloud: Cloud;
  fresh: Checkout;
  /** Values of the guide's placeholders. */
  words: Map<string, string>;
  env: Record<string, string>;
  /** The version before the upgrade. */
  before?: string;
  /** Runs submitted after the moment that is restored. */
  since?: string[];
  /** A run without objects. */
  lost?: string;
  /** Runs in the exported database. */
  exported?: string[];
  /** Answers of the first run, whose objects are in the bucket. */
  answers?: Awaited<ReturnType<typeof answersOf>>;
}

/** A command of the guide. */
interface Step {
  /** Runs before the command. */
  before?: (stage: Stage) => unknown;
  /** Additional flags. */
  flags?: string;
  /** Standard input of the command. */
  input?: string;
  /** Checks the result; returns the problem, or undefined. */
  look?: (stage: Stage, text: string) => Promise<string | undefined> | string | undefined;
}

const says =
  (part: string): NonNullable<Step["look"]> =>
  (_, text) =>
    includes(text, part);

const perfectRun = async ({ cloud }: Stage) => equal(await evaluated(cloud), "finished 1");
const runsOf = async ({ cloud }: Stage) =>
  (await rowsOf(cloud, "SELECT id FROM runs ORDER BY id")).map(({ id }) => `${id}`);
const answersOf = async (stage: Stage) => {
  const [run] = await runsOf(stage);
  const sql = `SELECT sample_id AS id FROM samples WHERE run_id = '${run}' LIMIT 1`;
  const [sample] = await rowsOf(stage.cloud, sql);
  const path = `/v1/runs/${run}/samples/${sample?.["id"]}`;
  return page(stage.cloud, path, { headers: bearer });
};
const versionOf = ({ cloud }: Stage) => cloud.account.scripts.get(NAME)?.version ?? "";
const laterMigration = ({ fresh }: Stage) =>
  join(fresh.folder, "migrations", "9999_of_a_later_release.sql");
const laterRelease = (stage: Stage) =>
  writeFileSync(laterMigration(stage), "ALTER TABLE `runs` ADD `remark` text;\n");

const secretPut = (name: string) =>
  `npx wrangler secret put ${name} --config .deploy/assay/api.json`;

const deploying: Record<string, Step> = {
  "npm run deploy": {
    flags: `--location weur --domain ${DOMAIN} --no-dataset`,
    look: async (stage, text) =>
      includes(text, `https://${DOMAIN}/`) ??
      equal([...stage.cloud.account.databases.values()][0]?.location, "weur") ??
      (await perfectRun(stage)),
  },
  "npm run deploy -- --dry-run": { look: says("Nothing was created") },
  "npm run deploy -- --help": { look: says("--restored") },
};

const board = "npx assay dataset import hf:paraloq/json_data_extraction --suite extraction";
const importing: Record<string, Step> = {
  [`${board} --revision ${COMMIT} --name paraloq --server https://${DOMAIN}`]: {
    look: says("Imported 3 samples"),
  },
};

const rebuilding: Record<string, Step> = {
  "npm run deploy -- --yes --site-only": { look: says("built and deployed") },
};

const automating: Record<string, Step> = {
  [`npx assay keys create --owner acme --name "nightly job" --server https://${DOMAIN}`]: {
    look: async ({ cloud }, text) => {
      const headers = { authorization: `Bearer ${/assay_\S+/.exec(text)?.[0]}` };
      return equal((await page(cloud, "/v1/usage", { headers })).status, 200);
    },
  },
};

const upgrading: Record<string, Step> = {
  "npm run deploy": {
    before: (stage) => {
      stage.before = versionOf(stage);
      laterRelease(stage);
    },
    look: (stage) => {
      stage.words.set(VERSION, versionOf(stage));
      return equal(versionOf(stage) === stage.before, false);
    },
  },
  "npx wrangler rollback --config .deploy/assay/api.json": {
    look: (stage) => equal(versionOf(stage), stage.before),
  },
  "npx wrangler versions list --config .deploy/assay/api.json": {
    before: ({ fresh, env }) =>
      fresh.shell(`echo key | ${secretPut("JUDGE_KEY_OPENAI")}`, env).ended,
    look: ({ words }, text) => includes(text, words.get(VERSION) ?? ""),
  },
  [`npx wrangler rollback ${VERSION} --config .deploy/assay/api.json`]: {
    look: (stage) =>
      equal(versionOf(stage), stage.words.get(VERSION)) ??
      equal(inventory(stage.cloud).secrets.includes("JUDGE_KEY_OPENAI"), false),
  },
  "npm run deploy -- --rollback": {
    before: (stage) => rmSync(laterMigration(stage)),
    look: says("newer than this version, kept"),
  },
};

const restoring: Record<string, Step> = {
  "npx wrangler d1 time-travel info DB --config .deploy/assay/api.json": {
    // The database has the schema of a later release.
    before: laterRelease,
    look: async (stage, text) => {
      stage.words.set(MOMENT, new Date().toISOString());
      const bookmark = includes(text, "The current bookmark is");
      const earlier = await runsOf(stage);
      const wrong = bookmark ?? (await perfectRun(stage));
      stage.since = (await runsOf(stage)).filter((run) => !earlier.includes(run));
      return wrong;
    },
  },
  [`npx wrangler d1 time-travel restore DB --timestamp ${MOMENT} --config .deploy/assay/api.json`]:
    { look: async (stage) => equal((await runsOf(stage)).length, 1) },
  "npx wrangler d1 export DB --remote --output assay.sql --config .deploy/assay/api.json": {
    look: async (stage) => {
      const database = new DatabaseSync(":memory:");
      database.exec(readFileSync(join(stage.fresh.folder, "assay.sql"), "utf8"));
      const rows = database.prepare("SELECT id FROM runs ORDER BY id").all();
      database.close();
      stage.exported = rows.map(({ id }) => `${id}`);
      return equal(stage.exported, await runsOf(stage));
    },
  },
  "npx wrangler d1 delete DB --config .deploy/assay/api.json": {},
  "npm run deploy -- --database assay.sql": {
    look: async (stage, text) =>
      includes(text, "active runs continue") ??
      equal(await runsOf(stage), stage.exported) ??
      (await perfectRun(stage)),
  },
  "rclone copy r2:assay-results /backup/assay-results": {
    look: async (stage) => {
      stage.answers = await answersOf(stage);
      return equal(stage.answers.status, 200);
    },
  },
  "rclone copy --ignore-existing /backup/assay-results r2:assay-results": {
    before: async ({ fresh, env }) => fresh.shell("rclone delete r2:assay-results", env).ended,
    look: async (stage) => equal(await answersOf(stage), stage.answers),
  },
  "npm run deploy -- --restored": { look: says("active runs continue") },
  "rclone lsf --dirs-only r2:assay-results/runs | tr -d / | sort > objects.txt": {
    // Like a run that was deleted after the moment that is restored.
    before: async (stage) => {
      stage.lost = (await runsOf(stage))[0] ?? "";
      await stage.fresh.shell(`rclone delete r2:assay-results/runs/${stage.lost}`, stage.env).ended;
    },
  },
  [`npx wrangler d1 execute DB --remote --json --command "SELECT id FROM runs" --config .deploy/assay/api.json | jq -r '.[0].results[].id' | sort > rows.txt`]:
    {},
  "comm -23 objects.txt rows.txt": {
    look: ({ since }, text) => equal(text.trim().split("\n"), since),
  },
  "comm -13 objects.txt rows.txt": {
    look: ({ lost }, text) => equal(text.trim().split("\n"), [lost]),
  },
};

const removing: Record<string, Step> = {
  "jq -r '.queues.consumers[].queue' .deploy/assay/api.json > queues.txt": {},
  "xargs -P 4 -I {} npx wrangler queues consumer worker remove {} assay --config .deploy/assay/api.json < queues.txt":
    {},
  "npx wrangler delete --config .deploy/assay/api.json": {
    look: says(`Successfully deleted ${NAME}`),
  },
  "npx wrangler delete --config .deploy/assay/site.json": {
    look: (_, text) => (text.includes("currently in use") ? text : undefined),
  },
  "xargs -P 4 -I {} npx wrangler queues delete {} --config .deploy/assay/api.json < queues.txt": {},
  "rclone delete r2:assay-results": {},
  "npx wrangler r2 bucket delete assay-results --config .deploy/assay/api.json": {},
  "npx wrangler d1 delete DB --config .deploy/assay/api.json": {
    look: ({ cloud }) =>
      equal(inventory(cloud), {
        databases: [],
        buckets: [],
        queues: [],
        workers: [],
        secrets: [],
      }),
  },
  "npm run deploy": { look: perfectRun },
};

const mending: Record<string, Step> = {
  [secretPut("OPERATOR_SECRET")]: {
    input: NEW_SECRET,
    look: async ({ cloud }) => {
      const headers = { authorization: `Bearer ${NEW_SECRET}` };
      return equal((await page(cloud, "/v1/keys", { headers })).status, 200);
    },
  },
};

type Steps = Readonly<Record<string, Readonly<Record<string, Step>>>>;

/** Steps by the headings of the guides. */
export const steps: Steps = {
  Deploy: deploying,
  "The first extraction board": importing,
  "Rebuild the site": rebuilding,
  "Deploy from GitHub": automating,
  Upgrade: upgrading,
  "Back up and restore": restoring,
  "Remove it": removing,
  Deploying: mending,
};

/** The command with placeholders replaced, and with `--yes`, because nobody can answer questions. */
function typed(command: string, { flags = "", input }: Step, { words }: Stage): string {
  const isAsking = /^npm run deploy(?!.*--(?:yes|help|dry-run))/.test(command);
  const separator = isAsking && !command.includes(" -- ") ? " --" : "";
  let line = `${command}${separator}${isAsking ? " --yes" : ""} ${flags}`;
  for (const [word, value] of words) line = line.replaceAll(word, value);
  return input === undefined ? line : `echo ${input} | ${line}`;
}

/** Runs the commands of the guides that have a step, in order. */
const following: Scene = {
  name: "the guide to deployment, command by command",
  isQuick: false,
  play: () =>
    on({ names: [NAME], domains: [DOMAIN] }, async (cloud, fresh, findings) => {
      await using hub = await fakeHub({ rows: [row, row, row] });
      const env = { ...cloud.env, ...environment(fresh), ASSAY_HF_URL: hub.url };
      const words = new Map([
        [COMMIT, newest],
        [BACKUP, join(fresh.folder, ".cache", "backup")],
      ]);
      const stage: Stage = { cloud, fresh, env, words };
      for (const { section, command } of guideCommands()) {
        const step = steps[section]?.[command];
        if (step === undefined) continue;
        await step.before?.(stage);
        const { code, text } = await fresh.shell(typed(command, step, stage), env).ended;
        const wrong = code === 0 ? await step.look?.(stage, text) : text.slice(-600);
        findings.add(command, () => wrong);
      }
    }),
};

/** A row in the format of paraloq/json_data_extraction. */
const row = { text: "Fee: EUR 3", schema: '{"type":"object"}', item: '{"fee":3}' };

/** Environment of a user with the secrets and rclone. */
function environment({ folder }: Checkout): Record<string, string> {
  const bin = join(folder, ".cache", "bin");
  mkdirSync(bin, { recursive: true });
  const program = join(folder, "test", "rehearsal", "rclone.ts");
  writeFileSync(join(bin, "rclone"), `#!/bin/sh\nexec "${process.execPath}" ${program} "$@"\n`, {
    mode: 0o755,
  });
  return {
    ...secrets,
    PATH: `${bin}${delimiter}${process.env["PATH"]}`,
    ASSAY_API_KEY: secrets.OPERATOR_SECRET,
    XDG_CACHE_HOME: join(folder, ".cache"),
  };
}

export const guideScenes: readonly Scene[] = [following];
