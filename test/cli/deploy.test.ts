import { execFile, spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { locationNames, locations } from "../../cli/deploy/deploy-options.ts";
import { folderOf } from "../../cli/deploy/deployment-state.ts";
import { freePlanLimits } from "../../cli/deploy/free-plan.ts";
import { noQuestions, type Questions } from "../../cli/deploy/questions.ts";
import { queuesOf } from "../../cli/deploy/worker-configs.ts";
import { committedConfigs } from "../../cli/deploy/write-configs.ts";
import { codeRevision, root } from "../../cli/local/root.ts";
import { suites } from "../../shared/suites/registry.ts";
import { fakeHub, newest } from "./support/fake-hub.ts";
import { accountId, onPath, setBy, standIn } from "./support/stand-in.ts";

const queues = queuesOf((await committedConfigs()).api).map((one) => one.replace("assay-", ""));

let count = 0;

async function begun() {
  count += 1;
  const name = `deploy-test-${process.pid}-${count}`;
  const stand = await standIn(name);
  onTestFinished(() => stand[Symbol.asyncDispose]());
  return { name, ...stand };
}

/** Answers questions that contain a key of `said` with its value, all others with their default. */
const attended = (said: Readonly<Record<string, string>> = {}): Questions => {
  const answer = (question: string) =>
    Object.entries(said).find(([part]) => question.includes(part))?.[1];
  return {
    isAttended: true,
    text: async (question, usual) => answer(question) ?? usual,
    secret: async (question) => answer(question) ?? "",
    confirm: async (question, usual) => {
      const reply = answer(question);
      return reply === undefined ? usual : reply === "yes";
    },
    choice: async (question) => Number(answer(question) ?? 1) - 1,
  };
};

const byHand = { "rebuilt when": "1", "Import ": "no" };
/** Calls that create a resource or set a secret. */
const making = /create|secret bulk/;

describe("npm run deploy", { timeout: 240_000 }, () => {
  it("creates all resources, keeps secrets secret, and creates nothing in a second run", async () => {
    const { name, deploy, wrangler, service } = await begun();
    const { account, calls } = wrangler;
    const given = {
      JUDGE_KEY_OPENAI: "sk-judge",
      GITHUB_CLIENT_ID: "Iv1.app",
      GITHUB_CLIENT_SECRET: "gh-s3cret",
      SITE_REBUILD_HOOK: "https://hook.example/s3cret",
    };
    Object.assign(process.env, given);
    onTestFinished(() => {
      for (const one of Object.keys(given)) delete process.env[one];
    });
    const weur = { "be located": String(1 + locationNames.indexOf("weur")) };
    const told = await deploy(["--plan", "paid"], attended({ ...byHand, ...weur }), given);
    const creating = calls.filter(({ call }) => /^(d1|r2 bucket) create/.test(call));
    expect(creating.map(({ args }) => args.slice(-2))).toEqual([
      ["--location", "weur"],
      ["--location", "weur"],
    ]);
    const made = structuredClone(account);
    expect(made).toMatchObject({
      databases: [{ name }],
      buckets: [`${name}-results`],
      queues: queues.map((one) => `${name}-${one}`),
      workers: [`${name}-site`, name],
      secrets: { [name]: ["SECRETS_KEY", "OPERATOR_SECRET", "SIGNING_KEY", ...Object.keys(given)] },
    });
    const files = ["api.json", "site.json"].map((one) =>
      readFileSync(join(folderOf(name), one), "utf8"),
    );
    files.push(made.objects[`${name}-results/deployment.json`]!);
    expect(JSON.parse(files[0]!)).toMatchObject({
      d1_databases: [{ binding: "DB", database_name: name, database_id: made.databases[0]!.uuid }],
      services: [{ binding: "SITE", service: `${name}-site` }],
      account_id: accountId,
      compatibility_flags: ["global_fetch_strictly_public"],
      placement: { region: locations.weur.region },
      limits: { cpu_ms: 300_000, subrequests: 100_000 },
      vars: {
        CODE_REVISION: codeRevision(),
        PLAN: "paid",
        DATABASE_MAX_MB: "10000",
        REQUIRE_API_KEY: "true",
        OWN_HOSTS: `${name}.*.workers.dev`,
        DEAD_LETTER_QUEUE: `${name}-dead`,
      },
    });
    const put = setBy(calls).map(([, value]) => value);
    for (const value of put.slice(0, 2)) {
      expect(value).toMatch(/^[0-9a-f]{64}$/);
      expect(told.split(value)).toHaveLength(2);
    }
    const signing = put[2]!;
    const der = Buffer.from(signing, "base64");
    expect(createPrivateKey({ key: der, format: "der", type: "pkcs8" }).asymmetricKeyType).toBe(
      "ed25519",
    );
    expect(told).not.toContain(signing);
    expect(put.slice(3)).toEqual(Object.values(given));
    for (const value of Object.values(given)) expect(told).not.toContain(value);
    const seen = files.join() + calls.flatMap(({ args }) => args);
    for (const value of put) expect(seen).not.toContain(value);
    expect(calls.flatMap(({ environment }) => environment)).toEqual([]);
    expect(told).toContain("ASSAY_API_KEY   assay_first");
    expect(told).toContain(`${service.url}/submit/`);
    const uploads = service.asked.filter(({ call }) => call.startsWith("POST /v1/datasets"));
    expect(uploads).toHaveLength(suites.length);

    const before = calls.length;
    const last = account.migrations?.pop();
    const upgraded = await deploy([], attended());
    const again = calls.slice(before).map(({ call }) => call);
    expect(account.migrations).toContain(last);
    expect({ ...account, pages: {} }).toEqual({ ...made, pages: {} });
    expect(again.filter((call) => making.test(call))).toEqual([]);
    expect(again.filter((call) => call === "deploy")).toHaveLength(2);
    expect(again).toContain("d1 migrations apply DB");
    expect(upgraded).toContain("Assay is up to date");
    expect(upgraded).not.toContain("ASSAY_API_KEY   ");
  });

  it("refuses a database that is newer than the code without --rollback", async () => {
    const { deploy, wrangler } = await begun();
    const { account, calls } = wrangler;
    await deploy([], attended(byHand));
    account.migrations?.push("0099_of_the_future.sql");
    const before = calls.length;
    await expect(deploy([], attended())).rejects.toThrow(
      /migrations that this version does not know: 0099_of_the_future\.sql.*add --rollback/s,
    );
    const asked = calls.slice(before).map(({ call }) => call);
    expect(asked.filter((call) => /apply|^deploy$|secret bulk/.test(call))).toEqual([]);
    const printed = await deploy(["--rollback"], attended());
    expect(printed).toContain("newer than this version, kept: 0099_of_the_future.sql");
    expect(printed).toContain("Assay is up to date");
  });

  it("resumes after a failed call and creates nothing twice", async () => {
    const { name, play, deploy, wrangler } = await begun();
    const steps = ["d1 create NAME", "queues create NAME-judge", "deploy", "secret bulk"];
    for (const step of steps) {
      const said = "A request to the Cloudflare API failed.\n\n  Try again later [code: 7500]";
      play({ fail: { [step.replace("NAME", name)]: said } });
      await expect(deploy([], attended(byHand))).rejects.toThrow("Try again later [code: 7500]");
    }
    play({});
    await deploy([], attended(byHand));
    const { databases, buckets, workers, secrets } = wrangler.account;
    expect([databases, buckets, workers].map((all) => all.length)).toEqual([1, 1, 2]);
    expect(wrangler.account.queues.toSorted()).toEqual(
      queues.map((one) => `${name}-${one}`).toSorted(),
    );
    expect(secrets[name]).toEqual(["SECRETS_KEY", "OPERATOR_SECRET", "SIGNING_KEY"]);
    const keys = setBy(wrangler.calls).filter(([one]) => one === "SECRETS_KEY");
    expect(keys).toHaveLength(1);
  });

  it("stops on Ctrl-C and resumes later; passes no secrets of the environment to wrangler", async () => {
    const { name, play, deploy, wrangler } = await begun();
    const { account, calls } = wrangler;
    await using path = await onPath(wrangler);
    play({ hang: `queues create ${name}-judge` });
    const args = ["cli/deploy.ts", "--yes", "--name", name];
    const env = {
      ...process.env,
      ...path.env,
      SECRETS_KEY: "s3cret",
      JUDGE_KEY_OPENAI: "sk-judge",
    };
    const child = spawn(process.execPath, args, { cwd: root, env });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const hangs = () => calls.some(({ call, ok }) => call.endsWith("-judge") && ok === null);
    await expect.poll(hangs, { timeout: 120_000 }).toBe(true);
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(said).toContain("Run the same command to continue.");
    expect(calls.flatMap(({ environment }) => environment)).toEqual([]);
    expect(new Set(calls.slice(1).map((one) => one.account))).toEqual(new Set([accountId]));
    play({});
    await deploy([], attended(byHand));
    expect(account.queues.toSorted()).toEqual(queues.map((one) => `${name}-${one}`).toSorted());
  });

  it("reports which parallel call failed and what the others created", async () => {
    const { name, play, deploy, wrangler } = await begun();
    const made: string[] = [];
    const first = queues.slice(0, 4).map((one) => `${name}-${one}`);
    play({ fail: { [`queues create ${first[0]}`]: "Try again later [code: 7500]" } });
    await expect(deploy([], attended(byHand), {}, undefined, made)).rejects.toThrow(
      `Creating the queue ${first[0]} failed.\n  Try again later [code: 7500]\nCommand: wrangler queues create ${first[0]}`,
    );
    expect(made.filter((line) => line.endsWith(": created"))).toEqual([
      `  Database ${name}: created`,
      `  Bucket ${name}-results: created`,
      `  Queue ${first[1]}: created`,
    ]);
    expect(wrangler.account.queues).toEqual([first[1]]);
  });

  it("imports the first board's data at a commit and sets up rebuilds by a GitHub workflow", async () => {
    const { name, deploy, service, wrangler } = await begun();
    const row = { text: "Fee: EUR 3", schema: '{"type":"object"}', item: '{"fee":3}' };
    await using hub = await fakeHub({ rows: [row, row, row], card: { license: "apache-2.0" } });
    process.env["ASSAY_HF_URL"] = hub.url;
    process.env["XDG_CACHE_HOME"] = folderOf(name);
    onTestFinished(() => {
      for (const one of ["ASSAY_HF_URL", "XDG_CACHE_HOME"]) delete process.env[one];
    });
    const github = { "rebuilt when": "2", "owner/name": "acme/assay", "A token": "ghp_x" };
    const told = await deploy([], attended(github));
    expect(told).toContain(`paraloq: 3 samples at commit ${newest}`);
    const upload = service.asked.find(({ call }) => call.includes("name=paraloq"));
    expect(upload?.call).toContain("suite=extraction");
    expect(upload?.call).toContain("license=Apache-2.0");
    expect(decodeURIComponent(upload!.call)).toContain(
      `source=https://huggingface.co/datasets/paraloq/json_data_extraction/tree/${newest}`,
    );
    const file = JSON.parse(wrangler.account.objects[`${name}-results/deployment.json`]!);
    expect(file).toMatchObject({ datasetRevision: newest, firstKey: "key_1", rebuilds: true });
    expect(setBy(wrangler.calls).slice(-2)).toEqual([
      ["SITE_REBUILD_TOKEN", "ghp_x"],
      ["SITE_REBUILD_HOOK", "https://api.github.com/repos/acme/assay/dispatches"],
    ]);
  });
});

describe("npm run deploy -- --yes", () => {
  it("prints no secret and reads required secrets from the environment", async () => {
    const { deploy, knows, wrangler } = await begun();
    await expect(deploy([], noQuestions)).rejects.toThrow(
      "no SECRETS_KEY and no OPERATOR_SECRET, and new ones cannot be shown without a terminal",
    );
    const secrets = { SECRETS_KEY: "s".repeat(64), OPERATOR_SECRET: "o".repeat(64) };
    knows(secrets.OPERATOR_SECRET);
    const told = await deploy([], noQuestions, secrets);
    const put = Object.fromEntries(setBy(wrangler.calls));
    expect(put).toEqual({ ...secrets, SIGNING_KEY: expect.any(String) });
    expect(told).not.toMatch(/s{64}|o{64}|assay_first/);
  });

  it.for<[string, object, string[], RegExp]>([
    [
      "nobody is logged in",
      { accounts: [] },
      [],
      /npx wrangler login, or set CLOUDFLARE_API_TOKEN/,
    ],
    [
      "there are several accounts",
      {
        accounts: [
          { id: accountId, name: "A" },
          { id: "f".repeat(32), name: "B" },
        ],
      },
      [],
      /Give it with --account ID\..*\n {2}A \(0123/,
    ],
    [
      "the account is another's",
      {},
      ["--account", "e".repeat(32)],
      /The login has no account eeee/,
    ],
    [
      "R2 is off",
      {
        fail: {
          [`r2 object get NAME-results/deployment.json`]:
            "Please enable R2 through the Cloudflare Dashboard. [code: 10042]",
        },
      },
      [],
      /Reading the deployment's state failed\.\n {2}Please enable R2.*\nR2 must be enabled once/,
    ],
    [
      "the plan has no limits of CPU time",
      { fail: { deploy: "CPU limits are not supported for the Free plan. [code: 100328]" } },
      [],
      /run the same command with --plan free/,
    ],
    [
      "the token may not do it",
      { fail: { "d1 list": "Authentication error [code: 10000]" } },
      [],
      /A token needs Edit on Workers Scripts, D1/,
    ],
  ])("says what to do if %s", async ([, changes, args, expected]) => {
    const { name, play, deploy } = await begun();
    play(JSON.parse(JSON.stringify(changes).replaceAll("NAME", name)));
    await expect(deploy(args, noQuestions)).rejects.toThrow(expected);
  });

  it("deploys only the site from another machine, at the deployed revision", async () => {
    const { name, deploy, runs, wrangler } = await begun();
    const { account, calls } = wrangler;
    const siteOnly = (whileBuilding?: () => void) =>
      deploy(["--site-only"], noQuestions, {}, whileBuilding);
    await expect(siteOnly()).rejects.toThrow("give --origin, or deploy it first");
    await deploy([], attended(byHand));
    rmSync(folderOf(name), { recursive: true });
    const before = calls.length;
    await siteOnly();
    const deployed = () => calls.slice(before).filter(({ call }) => call === "deploy");
    expect(deployed().map(({ args }) => args.at(-1))).toEqual([join(folderOf(name), "site.json")]);
    expect(account.pages[`${name}-site`]?.at(-1)).toBe("built");

    runs("e".repeat(40));
    await expect(siteOnly()).rejects.toThrow(
      `runs ${"e".repeat(40)}, this folder has ${codeRevision()}. Check out the deployed revision`,
    );
    runs(codeRevision());
    await expect(siteOnly(() => runs(null))).rejects.toThrow("code without a revision");
    expect(deployed()).toHaveLength(1);
  });
});

it("never replaces a live site by the first page, even without local state or bucket", async () => {
  const { name, deploy, wrangler } = await begun();
  const { account, calls } = wrangler;
  await deploy([], attended(byHand));
  const before = setBy(calls);
  rmSync(folderOf(name), { recursive: true });
  await deploy(["--account", accountId], noQuestions);
  account.objects = {};
  await deploy(["--plan", "paid"], noQuestions);
  expect(account.pages[`${name}-site`]).toEqual([
    expect.stringContaining("being set up"),
    "built",
    "built",
    "built",
  ]);
  expect(setBy(calls)).toEqual(before);
});

it("lists the limits of the Free plan before it creates anything, and leaves out paid settings", async () => {
  const { name, deploy, wrangler } = await begun();
  const no = attended({ "Deploy ": "no", "Workers Paid plan": "no" });
  await expect(deploy([], no)).rejects.toThrow("Nothing was created.");
  expect(wrangler.calls.map(({ call }) => call)).toEqual([
    "whoami",
    `r2 object get ${name}-results/deployment.json`,
  ]);
  const told = await deploy(["--plan", "free"], attended(byHand));
  for (const limit of freePlanLimits) {
    expect(told.indexOf(limit)).toBeGreaterThan(0);
    expect(told.indexOf(limit)).toBeLessThan(told.indexOf("Resources"));
  }
  const config = JSON.parse(readFileSync(join(folderOf(name), "api.json"), "utf8"));
  expect(config).not.toHaveProperty("limits");
  expect(config).toMatchObject({
    vars: { PLAN: "free", DATABASE_MAX_MB: "500" },
    triggers: { crons: ["* * * * *"] },
  });
  // The Free plan allows 64 variables and secrets per Worker and five cron triggers per account.
  expect(Object.keys(config.vars).length).toBeLessThanOrEqual(48);
});

it("bundles both Workers with the generated configuration, without an account", async () => {
  const name = `deploy-test-${process.pid}-real`;
  onTestFinished(() => rmSync(folderOf(`${name}-dry-run`), { recursive: true, force: true }));
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"]}`;
  const args = ["cli/deploy.ts", "--dry-run", "--name", name];
  const env = { ...process.env, PATH: path, CLOUDFLARE_API_TOKEN: "" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  const [, kib] = /API {3}[\d.]+ KiB \/ gzip: ([\d.]+) KiB/.exec(stdout) ?? [];
  expect(Number(kib)).toBeGreaterThan(500);
  // A third of the Free plan's limit.
  expect(1_024 * Number(kib)).toBeLessThanOrEqual(1_000_000);
  expect(stdout).toContain("Nothing was created.");
});
