import { expect, it } from "vitest";
import type { RateLimiter } from "../../../api/platform/rate-limiter.ts";
import {
  CHALLENGE_HEADER,
  PROOF_HEADER,
  proofOf,
  solves,
  withEffort,
} from "../../../shared/contracts/keys/effort.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, harness } from "../support/harness.ts";

const COMPARE = "/v1/compare?runs=a,b";
const EXPORT = "/v1/runs/a/samples.csv";
const pause = async () => {};

/** One time for all services, so that each accepts the proofs found for another. */
const start = Date.now();
/** Proofs by path and address. */
const found = new Map<string, string[]>();

/** A service that limits costly reads to two per caller, and reads with a proof to three per address. */
function service(requireApiKey = true) {
  const counts = new Map<string, number>();
  const limiter: RateLimiter = {
    allows: async (kind, caller) => {
      if (kind !== "costly-read" && !caller.startsWith("proven:")) return true;
      counts.set(caller, (counts.get(caller) ?? 0) + 1);
      return (counts.get(caller) ?? 0) <= (kind === "costly-read" ? 2 : 3);
    },
    periodSeconds: () => 60,
  };
  const state = { now: start };
  const rig = harness({ limiter, now: () => state.now });
  const settings = { ...rig.platform.settings, requireApiKey };
  const api = serve({ ...rig.platform, settings }, { key: anAccount("acme") });
  const read = (path = COMPARE, proof: string | null = null, address = "203.0.113.1") =>
    api.get(path, {
      "cf-connecting-ip": address,
      ...(proof !== null && { [PROOF_HEADER]: proof }),
    });
  const taken = new Map<string, number>();
  const useUp = async (path = COMPARE, address = "203.0.113.1") => {
    for (let i = 0; i < 2; i++) await read(path, null, address);
  };
  /** Another proof for the path, from an address whose free reads are used up. */
  const proven = async (path = COMPARE, address = "203.0.113.1") => {
    await useUp(path, address);
    const challenge = (await read(path, null, address)).headers.get(CHALLENGE_HEADER) ?? "";
    const key = `${path} ${address}`;
    const proofs = found.get(key) ?? [];
    const at = taken.get(key) ?? 0;
    proofs[at] ??= (await proofOf(challenge, pause)) ?? "";
    found.set(key, proofs);
    taken.set(key, at + 1);
    return proofs[at];
  };
  return { ...api, state, read, useUp, proven };
}

it("costly reads without a key need a proof beyond a limit, and withEffort() finds it", async () => {
  const { read, get } = service();
  expect([(await read()).status, (await read(EXPORT)).status]).toEqual([404, 404]);
  const refused = await read();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect(refused.headers.get("access-control-expose-headers")).toContain(CHALLENGE_HEADER);
  expect((await problemOf(refused)).detail).toMatch(/send an API key, sign in, wait 60 s, or/);
  const send = (proof: Record<string, string>) =>
    get(COMPARE, { "cf-connecting-ip": "203.0.113.1", ...proof });
  expect((await withEffort(send, pause)).status).toBe(404);
});

it("a whole IPv6 network has one limit", async () => {
  const { read } = service();
  const statuses = await Promise.all(
    [1, 2, 3].map(async (i) => (await read(COMPARE, null, `2001:db8::${i}`)).status),
  );
  expect(statuses).toEqual([404, 404, 429]);
});

it.each([
  COMPARE,
  EXPORT,
  "/v1/runs/a/answers.jsonl",
  "/v1/dataset.jsonl?suite=relay&dataset=x",
  "/v1/submissions/a/sweep",
  "/v1/runs/a/samples?text=x",
  "/v1/runs/a/samples?order=score",
  "/v1/runs/a/samples?order=latest",
  "/v1/runs/a/samples?min=0.5",
  "/v1/runs/a/samples?max=0.5",
  "/v1/runs/a/samples?tag=x",
  "/v1/runs/a/samples?error=timeout",
])("%s is a costly read", async (path) => {
  const { read } = service();
  const statuses = [await read(path), await read(path), await read(path)];
  expect(statuses.map(({ status }) => status === 429)).toEqual([false, false, true]);
});

it("keys, other reads, and services without keys need no proof", async () => {
  const { read, get } = service();
  const open = service(false);
  for (let i = 0; i < 4; i++) {
    const headers = { "cf-connecting-ip": "203.0.113.9", authorization: "Bearer key" };
    expect((await get(COMPARE, headers)).status).toBe(404);
    expect((await read("/v1/runs/a/samples?order=seq")).status).toBe(404);
    expect((await open.read()).status).toBe(404);
  }
});

it("a proof is valid a few times, for one route and address, for two minutes", async () => {
  const { read, proven, useUp, state } = service();
  const proof = await proven();
  expect((await read(EXPORT, proof)).status).toBe(429);
  await useUp(COMPARE, "203.0.113.2");
  expect((await read(COMPARE, proof, "203.0.113.2")).status).toBe(429);
  const replays = [await read(COMPARE, proof), await read(COMPARE, `0${proof}`)];
  expect(replays.map(({ status }) => status)).toEqual([404, 404]);
  expect((await read(COMPARE, proof)).status).toBe(429);
  const late = await proven();
  state.now += 120_000;
  expect((await read(COMPARE, late)).status).toBe(429);
});

it("reads with proofs are limited per address, whatever the number of proofs", async () => {
  const { read, proven } = service();
  const [first, second] = [await proven(), await proven()];
  const replies = [await read(COMPARE, first), await read(COMPARE, first)];
  replies.push(await read(COMPARE, second), await read(COMPARE, second));
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 429]);
  const other = await proven(COMPARE, "203.0.113.2");
  expect((await read(COMPARE, other, "203.0.113.2")).status).toBe(404);
});

it("a wrong proof, and one for a challenge that the service did not sign, are refused", async () => {
  const { read, proven } = service();
  const [number = "", token = ""] = (await proven()).split(" ");
  const unsigned = "v2.00000000.AAAA.AAAA";
  expect(solves(unsigned, 19_999, 16)).toBe(true);
  const forged = `19999 ${unsigned}`;
  const altered = await proofOf(`16 ${token.slice(0, -6)}AAAAA=`, pause);
  const unsolved = [`${Number(number) + 1} ${token}`, `-1 ${token}`, token, "", "x".repeat(5_000)];
  for (const proof of [forged, altered, ...unsolved]) {
    expect((await read(COMPARE, proof)).status).toBe(429);
  }
  expect((await read(COMPARE, `${number} ${token}`)).status).toBe(404);
});
