import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { hideRun } from "../../../api/runs/service.ts";
import { signer } from "../../../api/security/signer.ts";
import {
  type Parity,
  paritySchema,
  signedParitySchema,
} from "../../../shared/contracts/boards/parity.ts";
import { canonicalJson } from "../../../shared/contracts/content-hash.ts";
import type { Json } from "../../../shared/contracts/json.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, answering, harness, relayDataset, submitRun } from "../support/harness.ts";
import { latestSnapshot } from "../support/latest-snapshot.ts";

/** Numbers of the samples that a host gets wrong, by its model's name. */
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

/** A service with the finished run of the reference, and a parity of it alone. */
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
  it("runs hosts like the reference: finds the one that is worse, and shows that the other is equivalent", async () => {
    const { platform, deliverAll, dataset, reference, created, name, path, read, add, api } =
      await started();
    expect([created.status, created.headers.get("location")]).toEqual([201, path]);
    expect((await read()).verdict).toBe("No other host was added yet.");
    const equal = await add("ada", { label: "Ada's", endpoint: endpointOf("equal") });
    const lossy = await add("bob", { endpoint: endpointOf("lossy") });
    expect([equal.status, lossy.status]).toEqual([202, 202]);
    expect((await read()).hosts.map(({ status }) => status)).toEqual(["queued", "queued"]);
    await deliverAll();

    const parity = await read();
    expect(parity).toMatchObject({ name, model: "Model", metric: "passed", margin: 0.05 });
    expect(parity.reference).toMatchObject({ run: reference, label: "Maker", versus: null });
    const [first, second] = parity.hosts;
    expect(first).toMatchObject({
      label: "Ada's",
      owner: "ada",
      asked: "equal",
      statedBefore: true,
      versus: { difference: 0, samples: 200, verdict: "equivalent" },
    });
    expect(second).toMatchObject({
      label: "127.0.0.1:8790",
      owner: "bob",
      versus: { samples: 200, verdict: "worse" },
    });
    // 40 of 200 samples are wrong, against 2.
    expect(second?.versus?.difference).toBeCloseTo(-0.19, 9);
    expect(parity.verdict).toBe(
      "127.0.0.1:8790 (−0.190) is worse than Maker in Passed on. Ada's is equivalent to Maker within 0.050 in Passed on.",
    );
    const run = await api.run(first?.run ?? "");
    expect(run).toMatchObject({ dataset: { name: dataset }, visibility: "public" });
    expect(run.options["plannedTest"]).toEqual({
      metric: "passed",
      margin: 0.05,
      against: reference,
    });
    expect((await latestSnapshot(platform)).parities.find((one) => one.name === name)).toEqual(
      parity,
    );
  });

  it("adds a second row of a host instead of replacing the first", async () => {
    const { deliverAll, read, add } = await started(20);
    for (const key of ["ada", "bob", "ada"]) await add(key, { endpoint: endpointOf("equal") });
    await deliverAll();
    expect((await read()).hosts.map(({ owner }) => owner)).toEqual(["ada", "bob", "ada"]);
  });

  it("takes a run of the caller that was asked in the same way, and says if it is older", async () => {
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
    const created = await api.post("/v1/parities", late, as("maker"));
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

  it("refuses settings of its own, and names the fields of its endpoint", async () => {
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

  it("takes the provider behind a router for a host, and no setting of the reference's", async () => {
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

  it("leaves out a host that is hidden, and is gone without its reference", async () => {
    const { platform, deliverAll, add, read, api, path, reference } = await started(20);
    const added = (await (
      await add("ada", { endpoint: endpointOf("equal") })
    ).json()) as Submission;
    await deliverAll();
    await hideRun(platform, added.runs[0]?.id ?? "", "spam");
    expect((await read()).hosts).toEqual([]);
    await hideRun(platform, reference, "spam");
    expect((await api.get(path)).status).toBe(404);
  });

  it("signs its state", async () => {
    const { platform, api, path, read } = await started(3);
    const signed = signedParitySchema.parse(await (await api.get(`${path}/statement`)).json());
    const { type, version, ...parity } = signed.statement;
    expect([type, version, parity]).toEqual(["assay-parity", 1, await read()]);
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
