import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { deleteRun, hideRun } from "../../../api/runs/service.ts";
import { signer } from "../../../api/security/signer.ts";
import {
  type Parity,
  paritySchema,
  signedParitySchema,
} from "../../../shared/contracts/boards/parity.ts";
import { canonicalJson } from "../../../shared/contracts/content-hash.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { latestSnapshot, problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";

/** Samples that a host gets wrong, by the name of its model. */
const wrong: Readonly<Record<string, (n: number) => boolean>> = {
  maker: (n) => n % 100 === 7,
  equal: (n) => n % 100 === 8,
  lossy: (n) => n % 5 === 0,
};

const ask: AskModel = (endpoint, request, ...more) => {
  const n = Number(request.messages[0]?.content.match(/\d+$/)?.[0]);
  const isWrong = wrong[endpoint.model]?.(n) === true;
  return answering(() => (isWrong ? { output: "no" } : {}))(endpoint, request, ...more);
};

const endpointOf = (model: string) => ({ baseUrl: `http://127.0.0.1:8790/${model}`, model });
const accounts = { maker: anAccount("maker"), ada: anAccount("ada"), bob: anAccount("bob") };
const as = (key: string) => ({ authorization: `Bearer ${key}` });

/** A service with a finished reference run, and a parity without other hosts. */
async function started(samples = 200) {
  const { platform, deliverAll } = harness({ ask });
  const dataset = await relayDataset(platform, samples);
  const run = (model: string, more = {}) =>
    submitRun(platform, dataset, {
      models: [{ name: "Model", slug: "acme/model", endpoint: endpointOf(model) }],
      ...more,
    });
  const reference = await run("maker");
  await deliverAll();
  const api = serve(platform, accounts);
  const name = `maker/hosts-${crypto.randomUUID().slice(0, 8)}`;
  const body = { name, reference: { run: reference, label: "Maker" }, margin: 0.05 };
  const created = await api.post("/v1/parities", body, as("maker"));
  const path = `/v1/parities/${name}`;
  const read = async () => paritySchema.parse(await (await api.get(path)).json());
  const add = (key: string, host: object) => api.post(`${path}/hosts`, host, as(key));
  return {
    platform,
    deliverAll,
    dataset,
    run,
    reference,
    api,
    name,
    body,
    created,
    path,
    read,
    add,
  };
}

describe("POST /v1/parities/{owner}/{name}/hosts", () => {
  it("runs hosts with the settings of the reference, and finds one worse and one equivalent", async () => {
    const { platform, deliverAll, dataset, reference, created, name, path, read, add, api } =
      await started();
    expect([created.status, created.headers.get("location")]).toEqual([201, path]);
    expect((await read()).verdict).toBe("No other host was added yet.");
    const equal = await add("maker", { label: "Maker's mirror", endpoint: endpointOf("equal") });
    const lossy = await add("maker", { endpoint: endpointOf("lossy") });
    expect([equal.status, lossy.status]).toEqual([202, 202]);
    expect((await read()).hosts.map(({ status }) => status)).toEqual(["queued", "queued"]);
    await deliverAll();

    const parity = await read();
    expect(parity).toMatchObject({ name, model: "Model", metric: "passed", margin: 0.05 });
    expect(parity.reference).toMatchObject({ run: reference, label: "Maker", versus: null });
    const [first, second] = parity.hosts;
    expect(first).toMatchObject({
      label: "Maker's mirror",
      owner: "maker",
      asked: "equal",
      statedBefore: true,
      versus: { difference: 0, samples: 200, verdict: "equivalent" },
    });
    expect(second).toMatchObject({
      label: "127.0.0.1:8790",
      owner: "maker",
      versus: { samples: 200, verdict: "worse" },
    });
    // The host has 40 of 200 samples wrong, the reference 2.
    expect(second?.versus?.difference).toBeCloseTo(-0.19, 9);
    expect(parity.verdict).toBe(
      "127.0.0.1:8790 (−0.190) is worse than Maker in Passed on. Maker's mirror is equivalent to Maker within 0.050 in Passed on.",
    );
    const run = await api.run(first?.run ?? "");
    expect(run).toMatchObject({ dataset: { name: dataset }, visibility: "public" });
    expect(run.options["plannedTest"]).toEqual({
      metric: "passed",
      margin: 0.05,
      against: reference,
      samples: 200,
    });
    expect(run.plannedResult).toMatchObject({
      result: { verdict: "no-worse", samples: 200, difference: 0 },
      parity: name,
      tests: { number: expect.any(Number), of: 2 },
    });
    expect((await latestSnapshot(platform)).parities.find((one) => one.name === name)).toEqual(
      parity,
    );
  });

  it("keeps every run of a host: the latest finished run counts, and removed runs are listed", async () => {
    const { platform, api, deliverAll, read, add, path } = await started();
    const runOf = async (key: string, model: string) => {
      const reply = await add(key, { label: "Cloud", endpoint: endpointOf(model) });
      await deliverAll();
      return ((await reply.json()) as Submission).runs[0]!.id;
    };
    const bad = await runOf("maker", "lossy");
    const good = await runOf("maker", "equal");
    const strange = await runOf("ada", "lossy");
    const { hosts, verdict } = await read();
    expect(hosts).toMatchObject([
      { run: bad, attempt: 1, attempts: 2, isLatest: false, versus: { verdict: "worse" } },
      { run: good, attempt: 2, attempts: 2, isLatest: true, versus: { verdict: "equivalent" } },
      { run: strange, addedBy: "ada", attempt: 1, attempts: 1, isLatest: true },
    ]);
    expect(verdict).toBe(
      "Cloud is equivalent to Maker within 0.050 in Passed on. Other accounts added 1 host, shown apart.",
    );
    const { worse: _, ...own } = hosts[1]!.versus!;

    // The bad run is deleted, but still counts as an attempt.
    expect((await deleteRun(platform, accounts.maker, bad)).ok).toBe(true);
    const after = await read();
    expect(after.hosts.map(({ run }) => run)).toEqual([good, strange]);
    expect(after.hosts[0]).toMatchObject({ attempt: 2, attempts: 2, versus: own });
    const gone = { addedBy: "maker", label: "Cloud", removedBy: null, runs: 1 };
    expect(after.removed).toEqual([gone]);

    const remove = (run: string, key: string) => api.delete(`${path}/hosts/${run}`, as(key));
    expect((await remove(good, "ada")).status).toBe(403);
    expect((await remove(strange, "bob")).status).toBe(403);
    const removed = (await (await remove(strange, "maker")).json()) as Parity;
    expect(removed.hosts).toMatchObject([{ run: good, versus: own }]);
    // The label is hidden, since it may be the reason for the removal.
    const others = { addedBy: "ada", label: null, removedBy: "maker", runs: 1 };
    expect(removed.removed).toEqual([gone, others]);
    const again = await add("ada", { run: strange });
    expect([again.status, (await problemOf(again)).detail]).toEqual([
      409,
      `run "${strange}" was removed from the parity, which counts it for good: start a new one with endpoint`,
    ]);
    expect((await remove((await read()).reference.run, "maker")).status).toBe(409);
    expect((await remove("run_none", "maker")).status).toBe(404);
  });

  it("starts no run if the parity is full", async () => {
    const { platform, add, read } = await started(2);
    const { parities } = platform;
    const full = serve({ ...platform, parities: { ...parities, add: async () => null } }, accounts);
    const { name } = await read();
    const host = { endpoint: endpointOf("equal") };
    const count = () => env.DB.prepare("SELECT count(*) AS runs FROM runs").first();
    const before = await count();
    const reply = await full.post(`/v1/parities/${name}/hosts`, host, as("maker"));
    expect(reply.status).toBe(409);
    expect(await count()).toEqual(before);
    // A host that can't be run leaves no row.
    const settings = { ...platform.settings, allowPrivateEndpoints: false };
    const strict = serve({ ...platform, settings }, accounts);
    const refused = await strict.post(`/v1/parities/${name}/hosts`, host, as("maker"));
    expect(refused.status).toBe(422);
    expect((await platform.parities.get(name))?.runs).toHaveLength(1);
    expect((await add("maker", host)).status).toBe(202);
  });

  it("accepts a comparable run of the caller, and shows whether it is older", async () => {
    const { platform, deliverAll, dataset, run, read, add, api, body, reference } =
      await started(20);
    const own = await run("equal");
    await deliverAll();
    expect((await add("bob", { run: own })).status).toBe(403);
    const acme = serve(platform, { acme: anAccount("acme") });
    const path = `/v1/parities/${body.name}/hosts`;
    expect((await acme.post(path, { run: own }, as("acme"))).status).toBe(201);
    expect((await read()).hosts).toMatchObject([{ run: own, owner: "acme", statedBefore: true }]);
    const late = { ...body, name: `${body.name}-late`, hosts: [{ run: own }] };
    // An account can't add runs of others.
    const strange = await api.post("/v1/parities", late, as("maker"));
    expect([strange.status, (await problemOf(strange)).detail]).toEqual([
      403,
      `run "${own}" belongs to another account: only who ran it can add it`,
    ]);
    const name = `acme/late-${crypto.randomUUID().slice(0, 8)}`;
    const created = await acme.post("/v1/parities", { ...late, name }, as("acme"));
    const { hosts } = (await created.json()) as Parity;
    expect(hosts).toMatchObject([{ run: own, statedBefore: false }]);

    const other = await submitRun(platform, dataset, {
      models: [{ name: "Another", slug: "acme/another", endpoint: endpointOf("equal") }],
    });
    await deliverAll();
    const refused = await acme.post(path, { run: other }, as("acme"));
    expect([refused.status, (await problemOf(refused)).detail]).toEqual([
      422,
      `run "${other}" differs from the reference in the model's name: a parity compares hosts of one model that are asked in the same way`,
    ]);
    expect((await acme.post(path, { run: reference }, as("acme"))).status).toBe(201);
    expect((await read()).hosts).toHaveLength(1);
  });

  it("refuses settings, and names invalid fields of the endpoint", async () => {
    const { platform, add, read, path } = await started(5);
    const settings = { temperature: 1 };
    const own = await add("ada", { endpoint: { ...endpointOf("equal"), settings } });
    expect((await problemOf(own)).errors?.[0]?.pointer).toBe("/endpoint/settings");
    const settingsOf = { ...platform.settings, allowPrivateEndpoints: false };
    const strict = serve({ ...platform, settings: settingsOf }, accounts);
    const host = { endpoint: endpointOf("equal") };
    const { errors } = await problemOf(await strict.post(`${path}/hosts`, host, as("ada")));
    expect(errors?.map(({ pointer }) => pointer)).toEqual(["/endpoint/baseUrl"]);
    expect((await add("ada", {})).status).toBe(422);
    expect((await read()).hosts).toEqual([]);
  });

  it("treats the provider behind a router as part of the host, not as a setting", async () => {
    const { api, deliverAll, run, read } = await started(5);
    const routed = (provider: string, more = {}) => ({
      ...endpointOf("equal"),
      settings: { seed: 1, extraBody: { provider, thinking: "on" } },
      ...more,
    });
    const models = [{ name: "Model", slug: "acme/routed", endpoint: routed("one") }];
    const reference = await run("equal", { models });
    await deliverAll();
    const name = `maker/routed-${crypto.randomUUID().slice(0, 8)}`;
    const body = { name, reference: { run: reference }, margin: 0.05 };
    const created = await api.post("/v1/parities", body, as("maker"));
    expect(((await created.json()) as Parity).model).toBe("Model (seed 1)");
    const path = `/v1/parities/${name}/hosts`;
    for (const endpoint of [routed("two"), endpointOf("equal")]) {
      expect((await api.post(path, { endpoint }, as("ada"))).status).toBe(202);
    }
    await deliverAll();
    const { hosts } = paritySchema.parse(await (await api.get(`/v1/parities/${name}`)).json());
    expect(hosts.map(({ provenance, versus }) => [provenance.settings, versus?.samples])).toEqual([
      [{ seed: 1, extraBody: { provider: "two", thinking: "on" } }, 5],
      [{ seed: 1, extraBody: { thinking: "on" } }, 5],
    ]);
    expect((await read()).hosts).toEqual([]);
  });

  it("lets another account add five rows at most", async () => {
    const { add, deliverAll } = await started(2);
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      statuses.push((await add("ada", { endpoint: endpointOf("equal") })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 409]);
    expect((await add("maker", { endpoint: endpointOf("equal") })).status).toBe(202);
    await deliverAll();
  });
});

it("other accounts have their own share of places; a run that the owner removes frees a place", async () => {
  const { platform, name } = await started(1);
  const add = (addedBy: string, n: number) => {
    const row = { parity: name, runId: `run_${addedBy}_${n}`, label: "Cloud", addedBy };
    return platform.parities.add({ ...row, addedAt: platform.now() });
  };
  for (let i = 0; i < 30; i++) expect(await add(`account-${i % 6}`, i)).not.toBeNull();
  expect(await add("account-0", 30)).toBeNull();
  expect(await add("account-6", 31)).toBeNull();
  await platform.parities.removeRun({ parity: name, runId: "run_account-0_0" }, "maker");
  // The account's own places stay used.
  expect(await add("account-0", 32)).toBeNull();
  expect(await add("account-6", 33)).toMatchObject({ addedBy: "account-6", removedBy: null });
  for (let i = 0; i < 29; i++) expect(await add("maker", i)).not.toBeNull();
  expect(await add("maker", 29)).toBeNull();
  // Adding a row again returns the stored row.
  expect(await add("maker", 0)).toMatchObject({ label: "Cloud" });
});

describe("POST /v1/parities", () => {
  it("refuses names of others, unknown and unfinished runs, duplicates and margins beyond the scale", async () => {
    const { api, body, run, reference } = await started(3);
    const open = await run("equal");
    const more: [object, number][] = [
      [{ name: "ada/hosts" }, 422],
      [{ reference: { run: "run_none" } }, 404],
      [{ reference: { run: open } }, 409],
      [{ margin: 1 }, 422],
      [{ hosts: [{ run: reference }] }, 422],
      [{}, 409],
    ];
    for (const [part, status] of more) {
      const response = await api.post("/v1/parities", { ...body, ...part }, as("maker"));
      expect([part, response.status]).toEqual([part, status]);
    }
    const named = await api.post("/v1/parities", { ...body, name: "Hosts" }, as("maker"));
    expect((await problemOf(named)).errors).toEqual([
      { pointer: "/name", detail: expect.stringMatching(/^must be owner\/name .* the parity/) },
    ]);
  });

  it("creates one of two concurrent parities with the same name, and a hundred per account at most", async () => {
    const { platform, body, reference, run, deliverAll } = await started(2);
    const hosts = [await run("equal"), await run("lossy")];
    await deliverAll();
    const acme = serve(platform, { acme: anAccount("acme") });
    const name = `acme/at-once-${crypto.randomUUID().slice(0, 8)}`;
    const make = (more: object) =>
      acme.post("/v1/parities", { ...body, name, ...more }, as("acme"));
    const both = await Promise.all(hosts.map((id) => make({ hosts: [{ run: id }] })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const made = hosts[both.findIndex(({ status }) => status === 201)];
    const parity = (await (await acme.get(`/v1/parities/${name}`)).json()) as Parity;
    expect(parity.hosts.map((host) => host.run)).toEqual([made]);
    expect((await problemOf(await make({}))).detail).toContain(`there is a parity "${name}"`);

    const { parities } = platform;
    const create: typeof parities.create = async (...given) => {
      await parities.create(...given);
      return parities.create(...given);
    };
    // The store's first reply is lost.
    const again = serve(
      { ...platform, parities: { ...parities, create } },
      { acme: anAccount("acme") },
    );
    const retried = { ...body, name: `${name}-again`, hosts: [{ run: hosts[0] }] };
    expect((await again.post("/v1/parities", retried, as("acme"))).status).toBe(201);

    const ofAcme = env.DB.prepare("SELECT count(*) AS count FROM parities WHERE owner = 'acme'");
    const count = (await ofAcme.first<number>("count")) ?? 0;
    const names = Array.from({ length: 102 - count }, (_, i) => `${name}-${i}`);
    const all = await Promise.all(names.map((another) => make({ name: another })));
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await problemOf(refused[0]!)).detail).toMatch(/^"acme" has 100 parities/);
    await env.DB.prepare("DELETE FROM parities WHERE reference_id = ?1").bind(reference).run();
  });
});

describe("GET /v1/parities", () => {
  it("lists parities, and forgets one that its owner deletes", async () => {
    const { api, name, path } = await started(3);
    const names = async () => {
      const page = (await (await api.get("/v1/parities?limit=200")).json()) as {
        parities: { name: string; hosts: number }[];
      };
      return page.parities.filter((one) => one.name === name);
    };
    expect(await names()).toMatchObject([{ name, hosts: 1 }]);
    expect((await api.delete(path, as("ada"))).status).toBe(403);
    expect((await api.delete(path, as("maker"))).status).toBe(204);
    expect(await names()).toEqual([]);
    expect((await api.get(path)).status).toBe(404);
  });

  it("leaves out a hidden host, and answers 404 if the reference is hidden", async () => {
    const { platform, deliverAll, add, read, api, path, reference } = await started(20);
    const added = (await (
      await add("ada", { endpoint: endpointOf("equal") })
    ).json()) as Submission;
    await deliverAll();
    await hideRun(platform, added.runs[0]?.id ?? "", "spam");
    const { hosts, removed } = await read();
    expect(hosts).toEqual([]);
    expect(removed).toEqual([{ addedBy: "ada", label: null, removedBy: null, runs: 1 }]);
    await hideRun(platform, reference, "spam");
    expect((await api.get(path)).status).toBe(404);
  });

  it("shows nothing of another account's reference that has become private", async () => {
    const { platform, api, path, name, reference } = await started(3);
    const mine = async () =>
      (await api.get("/v1/parities?mine=true&limit=200", as("maker"))).text();
    const { owner } = (await platform.runs.get(reference))!;
    expect([owner, (await mine()).includes(name)]).toEqual(["acme", true]);
    const seenAs = (visibility: "unlisted" | "private") =>
      platform.runs.changeVisibility(reference, { visibility, note: null }, 0);
    await seenAs("unlisted");
    expect([await mine(), (await api.get(path, as("maker"))).status]).toEqual([
      expect.stringContaining(name),
      200,
    ]);
    await seenAs("private");
    expect((await mine()).includes(name)).toBe(false);
    expect((await api.get(path, as("maker"))).status).toBe(404);
  });

  it("signs its state", async () => {
    const { platform, api, path, read } = await started(3);
    const signed = signedParitySchema.parse(await (await api.get(`${path}/statement`)).json());
    const { type, version, asOf, ...parity } = signed.statement;
    expect([type, version, parity]).toEqual(["assay-parity", 1, await read()]);
    expect(Date.parse(asOf!)).toBeGreaterThanOrEqual(Date.parse(parity.createdAt));
    const [, payload = ""] = (signed.signature ?? "").split(".");
    const text = new TextDecoder().decode(
      Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (c) =>
        c.charCodeAt(0),
      ),
    );
    expect(text).toBe(canonicalJson(signed.statement as unknown as Json));
    const unsigned: Platform = { ...platform, signer: signer("", "") };
    const reply = await serve(unsigned).get(`${path}/statement`);
    expect(await reply.json()).toMatchObject({ signature: null, note: expect.any(String) });
  });
});
