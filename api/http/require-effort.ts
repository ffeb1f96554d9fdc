import type { MiddlewareHandler } from "hono";
import { textHash } from "#shared/contracts/content-hash.ts";
import { parsedJson } from "#shared/contracts/json.ts";
import { CHALLENGE_HEADER, PROOF_HEADER, solves } from "#shared/contracts/keys/effort.ts";
import { addressOf } from "./rate-limit.ts";
import { problem } from "./responses.ts";
import type { AppContext, AppEnv } from "./router.ts";

/** About 65,000 hashes: a second in a browser. */
const BITS = 16;
/** Time to solve a challenge and to send it; how often it can be used in that time is limited like the reads. */
const VALID_MS = 120_000;
const PURPOSE = "effort";
const MAX_PROOF = 1_000;

/**
 * Costly routes: comparisons, exports of whole runs and datasets, and boards that a link opens, which are ranked for
 * each read.
 */
const COSTLY =
  /^\/v1\/(compare|judgings|dataset\.jsonl|submissions\/[^/]+\/sweep|runs\/[^/]+\/(samples\.(csv|jsonl)|answers\.jsonl|scores\.json|every-eval-ever\.jsonl?))$/;
/** Lists of samples whose filters read answers or all rows of a run. */
const SAMPLES = /^\/v1\/runs\/[^/]+\/samples$/;
const SEARCHES = ["text", "path", "verdict", "pattern", "judge", "min", "max", "tag", "error"];

const isCostly = ({ req }: AppContext): boolean =>
  (req.method === "GET" || req.method === "HEAD") &&
  (COSTLY.test(req.path) ||
    (req.path === "/v1/leaderboard" && req.query("mine") === "true") ||
    (SAMPLES.test(req.path) &&
      ((req.query("order") ?? "seq") !== "seq" ||
        SEARCHES.some((name) => req.query(name) !== undefined))));

/**
 * Costly reads without a key or session: a limited number per minute and address; beyond that, each needs a proof of
 * work for a challenge that names route and address, so that it can't be used elsewhere. Nothing is stored. Must run
 * after `account` is set. A service that requires no keys asks for no proof.
 */
export const requireEffort: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { account, platform } = c.var;
  if (account !== null || !platform.settings.requireApiKey || !isCostly(c)) return next();
  const given = c.req.header(PROOF_HEADER) ?? "";
  const token = given === "" ? null : await provenToken(c, given);
  if (await isAllowed(c, token)) return next();
  const seconds = platform.limiter.periodSeconds("costly-read");
  c.header(CHALLENGE_HEADER, `${BITS} ${await newToken(c)}`);
  c.header("retry-after", `${seconds}`);
  const detail = `too many comparisons, exports or searches of samples in ${seconds} s without a key from this address: send an API key, sign in, wait ${seconds} s, or send a proof of work for the challenge in the header ${CHALLENGE_HEADER}, as pages of the site and the command line do by themselves`;
  return problem(c, "too-many-requests", detail);
};

/** Proven reads of an address are limited like comparisons with a key, however many proofs it sends. */
async function isAllowed(c: AppContext, token: string | null): Promise<boolean> {
  const { limiter } = c.var.platform;
  if (token === null) return limiter.allows("costly-read", addressOf(c));
  if (!(await limiter.allows("comparison", `proven:${addressOf(c)}`))) return false;
  return limiter.allows("costly-read", `proof:${textHash(token)}`);
}

interface Claim {
  path: string;
  address: string;
  until: number;
}

async function newToken(c: AppContext): Promise<string> {
  const { sealer, now } = c.var.platform;
  const claim: Claim = { path: c.req.path, address: addressOf(c), until: now() + VALID_MS };
  return sealer.seal(PURPOSE, JSON.stringify(claim));
}

/**
 * The token of a valid proof: solved, signed by this service for this route and address, and not expired; else null.
 */
async function provenToken(c: AppContext, given: string): Promise<string | null> {
  const { sealer, now } = c.var.platform;
  const [, number, token = ""] = /^(\d{1,15}) (\S+)$/.exec(given.slice(0, MAX_PROOF)) ?? [];
  if (number === undefined || !solves(token, Number(number), BITS)) return null;
  const opened = await sealer.open(PURPOSE, token).catch(() => null);
  const claim = opened?.ok ? (parsedJson(opened.value) as Claim) : null;
  const isOfRequest = claim?.path === c.req.path && claim.address === addressOf(c);
  return isOfRequest && claim.until > now() ? token : null;
}
