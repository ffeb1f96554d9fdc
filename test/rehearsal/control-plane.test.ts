import { expect, it } from "vitest";
import { type Account, newAccount, type Script } from "./cloud/account.ts";
import type { DataPlane } from "./cloud/control/options.ts";
import { controlPlane } from "./cloud/control-plane.ts";

const script = (more: Partial<Script>): Script => ({
  name: "api",
  tag: "t",
  version: "v1",
  metadata: {},
  modules: [],
  assets: null,
  secrets: new Map(),
  crons: [],
  isOnSubdomain: false,
  domains: [],
  ...more,
});

const queue = { type: "queue", name: "QUEUE", queue_name: "work" };
const consumer = { id: "c", script: "api", deadLetterQueue: null, settings: {} };

/** A Worker that sends to a queue and consumes it, and a bucket with an object. */
const deployed = () =>
  newAccount({
    scripts: new Map([["api", script({ metadata: { bindings: [queue] } })]]),
    queues: new Map([["work", { id: "q", name: "work", consumer }]]),
    buckets: new Map([["results", null]]),
    databases: new Map([["d", { uuid: "d", name: "assay", location: null }]]),
  });

function asking(account: Account, keys = ["deployment.json"]) {
  const data: DataPlane = {
    changed: () => {},
    query: async () => [],
    getObject: async () => null,
    putObject: async () => {},
    deleteObject: async () => {},
    listObjects: async () => ({ keys, folders: [], cursor: null }),
  };
  const all = ["Workers Scripts", "D1", "Workers R2 Storage", "Queues"] as const;
  const app = controlPlane({ account, token: "t", permissions: new Set(all), data });
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: "Bearer t" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await app.request(`/client/v4/accounts/${account.id}${path}`, init);
    const { errors, result } = (await reply.json()) as {
      errors: { code: number }[];
      result: unknown;
    };
    return errors[0]?.code ?? result;
  };
}

it.each([
  ["a Worker that consumes a queue", "/workers/services/api?force=true", 10064],
  ["a queue that a Worker sends to", "/queues/q", 11005],
  ["a bucket with objects", "/r2/buckets/results", 10008],
  ["a missing Worker", "/workers/services/other", 10090],
  ["a missing queue", "/queues/other", 11000],
  ["a missing bucket", "/r2/buckets/other", 10006],
  ["a missing database", "/d1/database/other", 7404],
])("the stand-in refuses to delete %s", async (_, path, code) => {
  expect(await asking(deployed())("DELETE", path)).toBe(code);
});

it("the stand-in deletes resources in the order of the guide", async () => {
  const account = deployed();
  const ask = asking(account, []);
  const paths = ["/queues/q/consumers/c", "/workers/services/api", "/queues/q"];
  for (const path of [...paths, "/r2/buckets/results", "/d1/database/d"]) {
    expect(await ask("DELETE", path), path).not.toBeTypeOf("number");
  }
  const { scripts, queues, buckets, databases } = account;
  expect([scripts.size, queues.size, buckets.size, databases.size]).toEqual([0, 0, 0, 0]);
});

it("/references names the Workers that are bound to a Worker", async () => {
  const binding = { type: "service", name: "SITE", service: "site" };
  const api = script({ metadata: { bindings: [binding] } });
  const scripts = new Map([
    ["api", api],
    ["site", script({ name: "site", tag: "s", version: "s1" })],
  ]);
  const ask = asking(newAccount({ scripts }));
  expect(await ask("GET", "/workers/scripts/site/references")).toMatchObject({
    services: { incoming: [{ service: "api", environment: "production" }] },
  });
  expect(await ask("GET", "/workers/scripts/api/references")).toMatchObject({
    services: { incoming: [] },
  });
});

it("a rollback past a change of secrets needs force=true and restores the earlier secrets", async () => {
  const account = deployed();
  const ask = asking(account);
  await ask("PUT", "/workers/scripts/api/secrets", { name: "KEY", text: "1" });
  expect(account.scripts.get("api")?.secrets).toEqual(new Map([["KEY", "1"]]));
  const earlier = { versions: [{ version_id: "v1" }] };
  expect(await ask("POST", "/workers/scripts/api/deployments", earlier)).toBe(10220);
  await ask("POST", "/workers/scripts/api/deployments?force=true", earlier);
  expect(account.scripts.get("api")).toMatchObject({ version: "v1", secrets: new Map() });
});
