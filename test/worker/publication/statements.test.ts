import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { statementFactsKey, statementKey } from "../../../api/runs/run-objects.ts";
import { signer } from "../../../api/security/signer.ts";
import type {
  PublicKey,
  SignedStatement,
} from "../../../shared/contracts/boards/result-statement.ts";
import { canonicalJson, LineDigest } from "../../../shared/contracts/content-hash.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { anApp } from "../support/client.ts";
import { harness, relayDataset, submitRun } from "../support/harness.ts";

/** The public key of RFC 8037, appendix A, and its thumbprint; the Worker has the private key. */
const rfcKey = {
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
};
const newerSecret = "MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

async function relayRun({ deliver = true, overrides = {} as Partial<Platform> } = {}) {
  const { platform, deliverAll } = harness(overrides);
  const dataset = await relayDataset(platform, 5);
  const endpoint = { baseUrl: "https://models.example.com/v1", model: "m" };
  const options = { sample: { n: 4, seed: 2 } };
  const models = [{ name: "Model", endpoint, simulated: true }];
  const run = await submitRun(platform, dataset, { models, options });
  if (deliver) await deliverAll();
  return { platform, run, get: getting(platform) };
}

function getting(platform: Platform) {
  const app = anApp(platform);
  return (path: string, init?: RequestInit) => app.request(`http://assay.test${path}`, init);
}

const statementOf = async (get: ReturnType<typeof getting>, run: string) =>
  (await get(`/v1/runs/${run}/statement`)).json<SignedStatement>();

const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const decoded = (part: string) => bytesOf(atob(part.replaceAll("-", "+").replaceAll("_", "/")));

async function isSigned({ statement, signature }: SignedStatement, { x }: { x: string }) {
  const [header = "", payload = "", proof = ""] = signature!.split(".");
  expect(new TextDecoder().decode(decoded(payload))).toBe(canonicalJson(statement as Json));
  const jwk = { kty: "OKP", crv: "Ed25519", x };
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, decoded(proof), bytesOf(`${header}.${payload}`));
}

describe("GET /v1/runs/{id}/statement", () => {
  it("states the published results, signed with a published key", async () => {
    const { platform, run, get } = await relayRun();
    const view = await (await get(`/v1/runs/${run}`)).json<Run>();
    expect(view).toMatchObject({
      codeRevision: "a test revision",
      links: { statement: `/v1/runs/${run}/statement` },
    });
    const response = await get(view.links.statement!);
    const signed = await response.json<SignedStatement>();
    expect(signed).toMatchObject({ keyId: rfcKey.kid, note: null });
    expect(await isSigned(signed, rfcKey)).toBe(true);
    const { statement } = signed;
    expect(statement).toMatchObject({
      run,
      dataset: view.dataset,
      subset: { n: 4, seed: 2 },
      options: view.options,
      scoringVersion: view.scoringVersion,
      promptHash: view.promptHash,
      codeRevision: "a test revision",
      metrics: view.metrics,
      coverage: 1,
      answers: { kind: "simulated", hosts: ["models.example.com"], count: 4 },
      counts: { total: 4, covered: 4 },
      finishedAt: view.finishedAt,
    });
    const whole = await (await get(`/v1/runs/${run}/answers.jsonl?whole=true`)).text();
    const digest = new LineDigest();
    for (const line of whole.trimEnd().split("\n")) digest.add(line);
    expect(statement.answers.sha256).toBe(digest.digest());
    const { keys } = await (await get(signed.keys)).json<{ keys: PublicKey[] }>();
    expect(keys).toMatchObject([{ kty: "OKP", crv: "Ed25519", ...rfcKey, alg: "EdDSA" }]);
    const etag = response.headers.get("etag")!;
    const again = await get(view.links.statement!, { headers: { "if-none-match": etag } });
    expect([
      again.status,
      await platform.objects.get(statementKey({ id: run, retries: [] })),
    ]).toEqual([304, expect.objectContaining({ signature: signed.signature })]);
  });

  it("keeps its signature after a key rotation, and the key set includes the old key", async () => {
    const { platform, run, get } = await relayRun();
    const before = await statementOf(get, run);
    const rotated = getting({ ...platform, signer: signer(newerSecret, ` ${rfcKey.x},`) });
    expect(await statementOf(rotated, run)).toEqual(before);
    const reply = await rotated(before.keys);
    const { keys } = await reply.json<{ keys: PublicKey[] }>();
    expect(keys.map(({ kid }) => kid)).toEqual([expect.not.stringMatching(rfcKey.kid), rfcKey.kid]);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("is created on the first request if it is missing, with the same bytes", async () => {
    const { platform, run, get } = await relayRun();
    const before = await statementOf(get, run);
    const sums = { id: run, retries: [] };
    await platform.objects.remove([statementKey(sums), statementFactsKey(sums)]);
    expect(await statementOf(get, run)).toEqual(before);
  });

  it("is signed again if the run ended again after a database was restored", async () => {
    const { platform, run, get } = await relayRun();
    const before = await statementOf(get, run);
    const sql = "UPDATE runs SET finished_at = finished_at + 60000 WHERE id = ?";
    await env.DB.prepare(sql).bind(run).run();
    const after = await statementOf(get, run);
    const ended = Date.parse(before.statement.finishedAt) + 60_000;
    expect(Date.parse(after.statement.finishedAt)).toBe(ended);
    expect(after.signature).not.toBe(before.signature);
    const kept = await platform.objects.get(statementKey({ id: run, retries: [] }));
    expect(kept).toMatchObject({ signature: after.signature });
    expect(await statementOf(get, run)).toEqual(after);
  });

  it("has no signature without a key, and a note about it", async () => {
    const { run, get } = await relayRun({ overrides: { signer: signer("", "") } });
    const response = await get(`/v1/runs/${run}/statement`);
    const { signature, keyId, note, keys } = await response.json<SignedStatement>();
    expect([response.status, signature, keyId]).toEqual([200, null, null]);
    expect(note).toContain("this deployment has no signing key and signs nothing");
    expect(await (await get(keys)).json()).toEqual({ keys: [] });
  });

  it("exists only for a finished run", async () => {
    const { run, get } = await relayRun({ deliver: false });
    const early = await get(`/v1/runs/${run}/statement`);
    expect([early.status, await early.json()]).toEqual([
      409,
      expect.objectContaining({
        detail: `run "${run}" is queued; a run has a statement when it is finished`,
      }),
    ]);
    expect((await get("/v1/runs/none/statement")).status).toBe(404);
  });

  it("reports an invalid key without repeating it", async () => {
    const wrong = signer("c2VjcmV0", "");
    await expect(wrong.sign("text")).rejects.toThrow(/^SIGNING_KEY is not an Ed25519 key: set it/);
    await expect(wrong.sign("text")).rejects.not.toThrow(/c2VjcmV0|secret/);
    await expect(signer("", "short").keys()).rejects.toThrow('SIGNING_KEYS_PREVIOUS has "short"');
  });
});
