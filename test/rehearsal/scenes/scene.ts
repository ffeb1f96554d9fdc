import { type Checkout, checkout } from "../checkout.ts";
import { type Cloud, type CloudOptions, openCloud } from "../cloud/cloud.ts";

/** What a scene held: a sentence and whether it did. */
export interface Finding {
  what: string;
  holds: boolean;
  /** What was seen instead. */
  seen?: string;
}

export interface Scene {
  name: string;
  /** Runs with `--quick`, too. */
  isQuick: boolean;
  play(): Promise<Finding[]>;
}

const secrets = { SECRETS_KEY: "5".repeat(64), OPERATOR_SECRET: "7".repeat(64) };
export const NAME = "alpha";
const usual = ["--plan", "paid", "--yes"];
const siteOf = (name = NAME) => `https://${name}.rehearsal.workers.dev`;

/** An account, a checkout and what is asked of both; everything is gone afterwards. */
export async function on(
  options: Partial<CloudOptions>,
  play: (cloud: Cloud, fresh: Checkout, findings: Findings) => Promise<void>,
): Promise<Finding[]> {
  const cloud = await openCloud({ names: [NAME, "beta"], ...options });
  const fresh = checkout();
  const findings = new Findings();
  try {
    await play(cloud, fresh, findings);
    findings.add("nothing was asked of a host other than the deployment's", () =>
      equal(cloud.edge.strangers, []),
    );
  } finally {
    fresh.remove();
    await cloud.close();
  }
  return findings.all;
}

export class Findings {
  readonly all: Finding[] = [];
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
): ReturnType<Checkout["run"]> {
  return fresh.run("deploy", ["--name", name, ...args], { ...cloud.env, ...secrets });
}

export async function page(cloud: Cloud, path: string, init: RequestInit = {}) {
  const reply = await cloud.workers.fetch(`${siteOf()}${path}`, init);
  return { status: reply?.status ?? 0, text: (await reply?.text()) ?? "" };
}

export const bearer = { authorization: `Bearer ${secrets.OPERATOR_SECRET}` };
