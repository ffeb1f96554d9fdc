import type { MeasuredLoad } from "../../scale/measured-load.ts";
import { type Checkout, checkout } from "../checkout.ts";
import { type Cloud, type CloudOptions, openCloud } from "../cloud/cloud.ts";
import { type Conditions, nearby } from "../cloud/data-plane.ts";
import type { Usage } from "../cloud/limits.ts";
import { deployedAccount } from "../deployed.ts";
import { type Use, usesOf } from "../limit-table.ts";

/** A statement that a scene checks, and whether it holds. */
export interface Finding {
  what: string;
  holds: boolean;
  /** What was seen instead. */
  seen?: string;
}

/** The result of a scene. */
export interface Outcome {
  findings: readonly Finding[];
  loads: readonly MeasuredLoad[];
  /** The highest use of each limit. */
  uses: readonly Use[];
  /** Time per page of the site's first build, ms, if measured. */
  msAPage?: number;
}

export interface Scene {
  name: string;
  /** Also runs with `--quick`. */
  isQuick: boolean;
  /**
   * Order of a scene that measures times. `alone`: other work would change its times. `throughout`: it mostly waits, and
   * for longer than any other, so it starts in parallel with these. `singly`: after the `alone` scenes, one at a time, in
   * parallel with scenes without an order. `promptly` and `first`: it mostly waits, so others run in parallel at a lower
   * priority; it needs the processor within milliseconds, or less urgently.
   */
  plays?: "alone" | "throughout" | "singly" | "promptly" | "first";
  /** A scene about size; the performance page lists its findings. */
  isLarge?: true;
  play(): Promise<Outcome>;
}

export const secrets = { SECRETS_KEY: "5".repeat(64), OPERATOR_SECRET: "7".repeat(64) };
export const NAME = "alpha";
const usual = ["--plan", "paid", "--yes"];

/** Runs `play` with an empty account and a checkout, and removes both afterwards. */
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

/** Changes of a scene to the default deployed account. */
export interface DeployedOptions {
  plan?: "free" | "paid";
  conditions?: Partial<Conditions>;
}

/**
 * Runs `play` with an account in which NAME is deployed, under `conditions` (default: `nearby`). The account is a copy
 * of one that is made once for each state of the files (deployed.ts); its site has only a first page. A scene can use:
 *
 * - `page`, `cloud.workers.fetch`: requests from outside; `cloud.workers.outside = …`: answers the Workers' own requests;
 * - `cloud.workers.fail("d1" | "r2", ms)`: makes D1 calls or R2 writes fail;
 * - `cloud.workers.pass(ms)`: advances the clock;
 * - `cloud.workers.kill()`: ends the isolates and their work;
 * - `cloud.workers.cron(NAME, "* * * * *")`: fires a cron trigger now;
 * - `cloud.workers.usage`: the usage of each invocation with `kind` and `of`, in the order of their ends;
 * - `cloud.workers.queues.delivered`, `.consumers`: deliveries and maximum number of consumers, by queue;
 * - `cloud.workers.query(databaseId, sql, params)`, `.getObject`, `.putObject`: data, read or written without the Worker;
 *   `cloud.account.databases`: their ids.
 *
 * To deploy again, as an upgrade does, run `deploy(cloud, checkout())`, which reads missing state from the account.
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
    findings.add("no request went to a host outside the deployment", () =>
      equal(cloud.edge.strangers, []),
    );
    findings.add("wrangler made no API call that the stand-in does not implement", () =>
      equal(cloud.unknown, []),
    );
    findings.add("no isolate exceeded its memory or CPU time", () =>
      equal(cloud.workers.deaths, []),
    );
    findings.add(
      "no call exceeded a platform limit, except R2's one write per key and second, which was then retried",
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
  /** `look` returns the problem, or undefined. */
  add(what: string, look: () => string | undefined): void {
    const seen = look();
    this.all.push({ what, holds: seen === undefined, ...(seen !== undefined && { seen }) });
  }
}

export const equal = (seen: unknown, wanted: unknown): string | undefined =>
  JSON.stringify(seen) === JSON.stringify(wanted) ? undefined : JSON.stringify(seen).slice(0, 300);
export const includes = (text: string, part: string): string | undefined =>
  text.includes(part) ? undefined : text.trim().slice(-400);

/** Runs `npm run deploy` for the deployment `name`. */
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

/** Rows of the deployment's database, read without the Worker. */
export async function rowsOf(cloud: Cloud, sql: string): Promise<Record<string, unknown>[]> {
  const [found] = await cloud.workers.query(databaseOf(cloud), sql, []);
  return (found as { results: Record<string, unknown>[] }).results;
}

export const bearer = { authorization: `Bearer ${secrets.OPERATOR_SECRET}` };

/**
 * Calls that a limit refused, except for R2's limit of one write per key and second. That refusal is no problem: the
 * call is retried, and a key that may be written twice is a hash of its content.
 */
const refusedIn = (usage: readonly Usage[]): string[] =>
  usage.flatMap(({ refused }) => refused).filter((call) => !call.includes("(10058)"));
