import type { Domain } from "#shared/contracts/keys/organisation.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Platform } from "../platform/platform.ts";
import { proofName, proofText, proofUrl } from "../providers/prove-domain.ts";
import { base64url } from "../security/base64url.ts";
import { hostProblem } from "../security/public-host.ts";
import type { DomainRecord } from "./schema.ts";

const DAY_MS = 86_400_000;
/** How long a proof may be missing: mistakes in a zone are usually noticed and fixed within days. */
const GRACE_MS = 7 * DAY_MS;
const MOST_DOMAINS = 10;
/** Checks per cron run: each takes two or three requests. */
const CHECKED_AT_ONCE = 3;
const TOKEN_BYTES = 24;

interface Refusal {
  type: "invalid-request" | "not-found" | "conflict";
  detail: string;
}

/** Letters, digits and hyphens (RFC 1123): names in other scripts could look like another name. */
const ASCII_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Why a domain can't be claimed; null if it can. */
function nameProblem({ settings }: Platform, domain: string): string | null {
  if (!ASCII_NAME.test(domain)) {
    const ascii = URL.parse(`https://${domain}`)?.hostname ?? "";
    const isOther = ASCII_NAME.test(ascii) && ascii !== domain.toLowerCase();
    const advice = isOther ? `as "${ascii}", which is how it will be shown` : "such as example.com";
    return `"${domain}" is no domain in lower-case letters, digits and hyphens: give it ${advice}`;
  }
  const problem = hostProblem(domain, settings.allowPrivateEndpoints);
  return problem === null ? null : `"${domain}" ${problem}`;
}

/** Claims a domain for an organisation. It is not shown until it is verified. */
export async function claimDomain(
  platform: Platform,
  { owner, domain, person }: { owner: string; domain: string; person: string },
): Promise<Result<DomainRecord, Refusal>> {
  const problem = nameProblem(platform, domain);
  if (problem !== null) return err({ type: "invalid-request", detail: problem });
  const record: DomainRecord = {
    domain,
    owner,
    token: base64url(platform.randomBytes(TOKEN_BYTES)),
    claimedBy: person,
    claimedAt: platform.now(),
    checkedAt: null,
    verifiedAt: null,
    failingSince: null,
    problem: null,
  };
  const claimed = await platform.domains.claim(record, MOST_DOMAINS);
  if (claimed !== null) return ok(claimed);
  const detail = `an organisation has at most ${MOST_DOMAINS} domains: remove one first`;
  return err({ type: "conflict", detail });
}

const HELD = "another organisation proves that it has this domain: its entry must go first";

/**
 * Checks the proof of a domain. Verification is lost after a week without proof, or when another organisation proves
 * the domain.
 */
export async function checkDomain(platform: Platform, record: DomainRecord): Promise<DomainRecord> {
  const problem = await platform.proveDomain(record.domain, record.token);
  const checked = { ...record, checkedAt: platform.now(), problem };
  const next = problem === null ? await proven(platform, checked) : unproven(checked);
  if (!(await platform.domains.save(next))) {
    return { ...record, checkedAt: next.checkedAt, problem: HELD };
  }
  const isChanged = (record.verifiedAt === null) !== (next.verifiedAt === null);
  if (isChanged) await showOwner(platform, record.owner);
  return next;
}

async function proven(
  platform: Platform,
  record: DomainRecord & { checkedAt: number },
): Promise<DomainRecord> {
  const holder = await platform.domains.holder(record.domain);
  if (holder !== null && holder.owner !== record.owner) {
    if ((await platform.proveDomain(holder.domain, holder.token)) === null) {
      return { ...record, problem: HELD };
    }
    await platform.domains.save({ ...holder, verifiedAt: null, failingSince: null });
    await showOwner(platform, holder.owner);
  }
  return { ...record, verifiedAt: record.verifiedAt ?? record.checkedAt, failingSince: null };
}

function unproven(record: DomainRecord & { checkedAt: number }): DomainRecord {
  if (record.verifiedAt === null) return record;
  const failingSince = record.failingSince ?? record.checkedAt;
  const isLost = record.checkedAt - failingSince >= GRACE_MS;
  return isLost ? { ...record, verifiedAt: null, failingSince: null } : { ...record, failingSince };
}

/** Publishes an owner's runs again with its current name and domains. */
export async function showOwner(platform: Platform, owner: string): Promise<void> {
  await platform.domains.countOwned(owner);
  await platform.publications.markChanged();
}

/** Checks each verified domain once a day. */
export async function checkDueDomains(platform: Platform): Promise<void> {
  const due = await platform.domains.due(platform.now() - DAY_MS, CHECKED_AT_ONCE);
  for (const record of due) await checkDomain(platform, record);
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

export const domainView = (record: DomainRecord): Domain => ({
  domain: record.domain,
  isVerified: record.verifiedAt !== null,
  verifiedAt: iso(record.verifiedAt),
  checkedAt: iso(record.checkedAt),
  endsAt: iso(record.failingSince === null ? null : record.failingSince + GRACE_MS),
  problem: record.problem,
  proof: {
    text: proofText(record.token),
    recordName: proofName(record.domain),
    fileUrl: proofUrl(record.domain),
  },
});
