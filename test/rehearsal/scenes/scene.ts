import type { MeasuredLoad } from "../../scale/measured-load.ts";
import { type Checkout, checkout } from "../checkout.ts";
import { type Cloud, type CloudOptions, openCloud } from "../cloud/cloud.ts";
import { type Conditions, nearby } from "../cloud/data-plane.ts";
import type { Usage } from "../cloud/limits.ts";
import { deployedAccount } from "../deployed.ts";
import { type Use, usesOf } from "../limit-table.ts";

/** What a scene held: a sentence and whether it did. */
export interface Finding {
  what: string;
  holds: boolean;
  /** What was seen instead. */
  seen?: string;
}

/** What came of a scene. */
export interface Outcome {
  findings: readonly Finding[];
  loads: readonly MeasuredLoad[];
  /** How near it came to each limit. */
  uses: readonly Use[];
  /** Time that the first build of the site took for a page, ms, where one is measured. */
  msAPage?: number;
}

export interface Scene {
  name: string;
  /** Runs with `--quick`, too. */
  isQuick: boolean;
  /**
   * Order of a scene that measures times. `alone`: much other work would change them. `throughout`: it waits nearly all
   * of the time and longer than any other, so it begins beside these. `singly`: after those alone, one after the other,
   * beside scenes without an order. `promptly` and `first`: it waits most of the time,
   * so others run in parallel at a lower priority; it needs the processor within milliseconds or less urgently.
   */
  plays?: "alone" | "throughout" | "singly" | "promptly" | "first";
  /** About size: the performance page lists what held. */
  isLarge?: true;
  play(): Promise<Outcome>;
}

export const secrets = { SECRETS_KEY: "5".repeat(64), OPERATOR_SECRET: "7".repeat(64) };
export const NAME = "alpha";
const usual = ["--plan", "paid", "--yes"];

/** An empty account, a checkout and what is asked of both; everything is gone afterwards. */
export async function on(
  options: Partial<CloudOptions>,
  play: (cloud: Cloud, fresh: Checkout, findings: Findings) => Promise<void>,
): Promise<Outcome> {
  const fresh = checkout();
  try {
    return await onCloud(options, (cloud, findings) => play(cloud, fresh, findings));
  } finally {
    fresh.remove();
  }
}

/** What a scene of a deployed account sets otherwise than usual. */
export interface DeployedOptions {
  plan?: "free" | "paid";
  conditions?: Partial<Conditions>;
}

/**
 * An account in which NAME is deployed, at the conditions that are said (otherwise `nearby`). It is a copy of
 * one that was made once for the state of the files (deployed.ts); the site has a first page only. A scene has:
 *
 * - `page`, `cloud.workers.fetch`: requests from outside; `cloud.workers.outside = …`: the world that Workers ask;
 * - `cloud.workers.fail("d1" | "r2", ms)`: D1 away, R2 refusing writes, for so long;
 * - `cloud.workers.pass(ms)`: so much time passes at once;
 * - `cloud.workers.kill()`: the isolates die, with all that runs in them;
 * - `cloud.workers.cron(NAME, "* * * * *")`: a cron trigger, now;
 * - `cloud.workers.usage`: what each invocation did, in the order of their ends, with its `kind` and `of`;
 * - `cloud.workers.queues.delivered`, `.consumers`: messages and most consumers at once, by queue;
 * - `cloud.workers.query(databaseId, sql, params)`, `.getObject`, `.putObject`: data, past the Worker;
 *   `cloud.account.databases`: their ids.
 *
 * To deploy again, as an upgrade does, run `deploy(cloud, checkout())`: what a machine lacks it reads from the account.
 */
export async function onDeployed(
  { plan = "paid", conditions }: DeployedOptions,
  play: (cloud: Cloud, findings: Findings) => Promise<void>,
): Promise<Outcome> {
  const deployed = await deployedAccount({ plan, name: NAME, secrets });
  return onCloud({ ...deployed, conditions: { ...nearby, ...conditions } }, play);
}

async function onCloud(
  options: Partial<CloudOptions>,
  play: (cloud: Cloud, findings: Findings) => Promise<void>,
): Promise<Outcome> {
  const cloud = await openCloud({ names: [NAME, "beta"], ...options });
  const findings = new Findings();
  try {
    await play(cloud, findings);
    findings.add("nothing was asked of a host other than the deployment's", () =>
      equal(cloud.edge.strangers, []),
    );
    findings.add("wrangler made no API call that the stand-in lacks", () =>
      equal(cloud.unknown, []),
    );
    findings.add("no isolate died of memory or CPU time", () => equal(cloud.workers.deaths, []));
    findings.add(
      "no call was past a limit of the platform, but for R2's one write of a key a second, after which it was repeated",
      () => refusedIn(cloud.workers.usage)[0],
    );
  } finally {
    await cloud.close();
  }
  const { all, loads, msAPage } = findings;
  return { findings: all, loads, uses: usesOf(cloud), ...(msAPage !== null && { msAPage }) };
}

export class Findings {
  readonly all: Finding[] = [];
  readonly loads: MeasuredLoad[] = [];
  msAPage: number | null = null;
  /** `look` gives what is wrong; undefined: nothing. */
  add(what: string, look: () => string | undefined): void {
    const seen = look();
    this.all.push({ what, holds: seen === undefined, ...(seen !== undefined && { seen }) });
  }
}

export const equal = (seen: unknown, wanted: unknown): string | undefined =>
  JSON.stringify(seen) === JSON.stringify(wanted) ? undefined : JSON.stringify(seen).slice(0, 300);
export const includes = (text: string, part: string): string | undefined =>
  text.includes(part) ? undefined : text.trim().slice(-400);

/** Runs `npm run deploy` for a deployment of that name. */
export function deploy(
  cloud: Cloud,
  fresh: Checkout,
  name = NAME,
  args = usual,
  env: Record<string, string> = secrets,
): ReturnType<Checkout["run"]> {
  return fresh.run("deploy", ["--name", name, ...args], { ...cloud.env, ...env });
}

export async function page(cloud: Cloud, path: string, init: RequestInit = {}) {
  const reply = await cloud.workers.fetch(`${cloud.origin}${path}`, init);
  const waitMs = 1_000 * Number(reply?.headers.get("retry-after") ?? 0);
  return { status: reply?.status ?? 0, text: (await reply?.text()) ?? "", waitMs };
}

export const databaseOf = ({ account }: Cloud): string => [...account.databases.keys()][0] ?? "";

/** Rows of the deployment's database, past the Worker. */
export async function rowsOf(cloud: Cloud, sql: string): Promise<Record<string, unknown>[]> {
  const [found] = await cloud.workers.query(databaseOf(cloud), sql, []);
  return (found as { results: Record<string, unknown>[] }).results;
}

export const bearer = { authorization: `Bearer ${secrets.OPERATOR_SECRET}` };

/**
 * Calls that a limit refused. R2 refuses to write a key twice in a second, which is no fault: the call is repeated, and
 * a key that may be written twice is made of its content.
 */
const refusedIn = (usage: readonly Usage[]): string[] =>
  usage.flatMap(({ refused }) => refused).filter((call) => !call.includes("(10058)"));
