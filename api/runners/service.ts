import { parsedJson } from "#shared/contracts/json.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import {
  type Leased,
  RUNNER_LEASE_MS,
  type Runner,
  type RunnerPoll,
  type RunnerRequest,
  type RunnerWork,
  signedReplyText,
} from "#shared/contracts/submissions/runner.ts";
import { firstEndpoint, type SubmissionRequest } from "#shared/contracts/submissions/submission.ts";
import { startLanes } from "../engine/seat-lanes.ts";
import type { Platform } from "../platform/platform.ts";
import { runnerFolder } from "../runs/run-objects.ts";
import { fromBase64url } from "../security/base64url.ts";
import { publicKeyOf } from "../security/signer.ts";
import type { RunnerRecord } from "./schema.ts";
import { KEYS_MAX, RUNNERS_MAX, type RunnerId, type StoredRequest } from "./store.ts";

/** A runner that has not polled for this long is away, ms: it polls at least every 25 s. */
const AWAY_MS = 60_000;
/** Shorter texts are stored in the row, without an R2 operation. */
const IN_ROW = 64_000;
/**
 * Shortest and longest polling interval of the database, ms: on the Free plan an invocation has 50 queries, and a poll
 * takes two.
 */
const LOOK_MS = 200;
const LOOK_MAX_MS = 2_000;
const LEFT_AT_ONCE = 500;

/** Whether a runner is away; null: it was never seen. */
export const isAway = (lastSeenAt: number | null, now: number): boolean =>
  lastSeenAt === null || now - lastSeenAt > AWAY_MS;

export const runnerView = ({ name, keys, createdAt, lastSeenAt }: RunnerRecord): Runner => ({
  name,
  keys: keys.map(({ kid }) => kid),
  createdAt: new Date(createdAt).toISOString(),
  lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
});

/** Registers a runner's key. Returns a reason if the account has too many runners, or the runner too many keys. */
export async function registerRunner(
  platform: Platform,
  runner: RunnerId,
  publicKey: string,
): Promise<Result<RunnerRecord, string>> {
  const key = await publicKeyOf(publicKey);
  await platform.runners.register(runner, key, platform.now());
  const made = await platform.runners.get(runner);
  if (made === null) {
    return err(`"${runner.owner}" has ${RUNNERS_MAX} runners, the maximum: delete one`);
  }
  if (made.keys.some(({ kid }) => kid === key.kid)) return ok(made);
  return err(
    `runner "${runner.name}" has ${KEYS_MAX} keys, the maximum: give another name, or delete the runner first`,
  );
}

/** Renews leases, then leases requests; waits for some if there are none and the runner allows it. */
export async function findWork(
  platform: Platform,
  known: RunnerRecord,
  { take, holding, waitMs }: RunnerPoll,
): Promise<RunnerWork> {
  const { runners, now, sleep } = platform;
  const isBack = isAway(known.lastSeenAt, now());
  await runners.seen(known, now(), isBack);
  if (isBack) await startLanes(platform, "answering");
  const until = () => ({ now: now(), until: now() + RUNNER_LEASE_MS });
  const wanted = holding.length === 0 ? [] : await runners.renew(known, holding, until());
  const gone = holding.flatMap(({ id }) => (wanted.includes(id) ? [] : [id]));
  const token = platform.newId("lease");
  const endsAt = now() + waitMs;
  for (let pauseMs = LOOK_MS; ; pauseMs = Math.min(LOOK_MAX_MS, 1.5 * pauseMs)) {
    const found = take === 0 ? [] : await runners.lease(known, { token, take, ...until() });
    const isOver = now() + pauseMs > endsAt || take === 0;
    if (found.length > 0 || gone.length > 0 || isOver) {
      return { requests: await withTexts(platform, token, found), gone };
    }
    await sleep(pauseMs);
  }
}

/** A request whose object is gone is no longer needed. */
async function withTexts(
  { objects }: Platform,
  lease: string,
  found: readonly StoredRequest[],
): Promise<RunnerWork["requests"]> {
  const requests: RunnerWork["requests"] = [];
  for (const { id, runId, text } of found) {
    const read = text ?? (await objects.getText(objectKey(runId, id, null)));
    if (read !== null) requests.push({ id, lease, request: parsedJson(read) as RunnerRequest });
  }
  return requests;
}

/** Key of a text that is too long for its row. `lease`: for a reply; null: the request. */
export const objectKey = (runId: string, id: string, lease: string | null): string =>
  `${runnerFolder(runId)}${id}/${lease ?? "request"}.json`;

/** The text for its row; null if it was stored as an object. */
export async function storedText(
  { objects }: Platform,
  key: string,
  text: string,
): Promise<string | null> {
  if (text.length <= IN_ROW) return text;
  await objects.putText(key, [text]);
  return null;
}

export interface Signed extends Leased {
  keyId: string;
  signature: string;
  /** JSON as it was sent. */
  text: string;
}

export type ReplyRefusal = { type: "invalid-request" | "not-found" | "conflict"; detail: string };

/**
 * Stores a reply if its signature is valid and its lease is the latest. Repeated for the same lease, it is not stored
 * again.
 */
export async function storeReply(
  platform: Platform,
  runner: RunnerRecord,
  { text, keyId, signature, ...leased }: Signed,
): Promise<Result<null, ReplyRefusal>> {
  const { id, lease } = leased;
  const key = runner.keys.find(({ kid }) => kid === keyId);
  if (key === undefined) {
    const detail = `the key ${keyId} is not registered for runner "${runner.name}": start it again, so that it registers its key`;
    return err({ type: "invalid-request", detail });
  }
  if (!(await isSignedBy(key.x, signature, signedReplyText(leased, text)))) {
    const detail = `the signature of this reply is not by the key ${keyId}: nothing was stored`;
    return err({ type: "invalid-request", detail });
  }
  const request = await platform.runners.request(runner, id);
  if (request === null) return err({ type: "not-found", detail: "nobody waits for this request" });
  if (request.lease !== lease) return err(taken);
  if (request.repliedAt !== null) return ok(null);
  const { runId } = request;
  const stored = await storedText(platform, objectKey(runId, id, lease), text);
  const reply = { text: stored, keyId, now: platform.now() };
  const isStored = await platform.runners.reply(runner, { id, lease, runId }, reply);
  return isStored ? ok(null) : err(taken);
}

const taken: ReplyRefusal = {
  type: "conflict",
  detail: "the lease of this request is over, and another runner has it",
};

async function isSignedBy(x: string, signature: string, text: string): Promise<boolean> {
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
    const signed = new TextEncoder().encode(text);
    return await crypto.subtle.verify("Ed25519", key, fromBase64url(signature), signed);
  } catch {
    return false;
  }
}

/** Runners that a submission names and its account does not have. */
export async function runnerErrors(
  platform: Platform,
  { models }: Pick<SubmissionRequest, "models">,
  owner: string,
): Promise<FieldError[]> {
  const named = models.flatMap((model, i) => {
    const name = firstEndpoint(model)?.runner;
    const place = model.hybrid === undefined ? "endpoint" : "hybrid/local";
    return name === undefined ? [] : [{ name, pointer: `/models/${i}/${place}/runner` }];
  });
  if (named.length === 0) return [];
  const known = (await platform.runners.list(owner)).map(({ name }) => name);
  const others = known.length === 0 ? "" : `; "${owner}" has ${known.join(", ")}`;
  return named
    .filter(({ name }) => !known.includes(name))
    .map(({ name, pointer }) => ({
      pointer,
      detail: `"${owner}" has no runner "${name}": start it first with assay runner --name ${name}${others}`,
    }));
}

/** Deletes requests of runs that have ended, with their objects. */
export async function forgetEnded(platform: Platform): Promise<void> {
  const left = await platform.runners.left(LEFT_AT_ONCE);
  if (left.length === 0) return;
  await platform.objects.remove(
    left.flatMap(({ runId, id, lease }) => [null, lease].map((of) => objectKey(runId, id, of))),
  );
  for (const some of Map.groupBy(left, ({ owner, name }) => `${owner} ${name}`).values()) {
    await platform.runners.forget(
      some[0]!,
      some.map(({ id }) => id),
    );
  }
}
