import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { adaptersOf, platformOf } from "../../../api/index.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { anAccount, harness, relayDataset, submitRun } from "../support/harness.ts";

it("a run with a private endpoint calls nothing once private endpoints are forbidden", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  const closed = { ...(env as object), ALLOW_PRIVATE_ENDPOINTS: "false" };
  const { platform, deliverAll } = harness({ ask: adaptersOf(closed as never).ask });
  const run = await submitRun(platform, await relayDataset(platform, 3));
  await deliverAll();
  expect(fetched).not.toHaveBeenCalled();
  expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 3, failed: 3 });
  const rows = await platform.runs.samples(run, -1, 3);
  expect(rows.map(({ errorClass, attempts }) => [errorClass, attempts])).toEqual(
    Array.from({ length: 3 }, () => ["blocked", 0]),
  );
});

it("endpoints and webhooks in the zone of the requested host are refused, whatever the settings", async () => {
  const closed = { REQUIRE_API_KEY: "true", ALLOW_PRIVATE_ENDPOINTS: "false", OWN_HOSTS: "" };
  const found = platformOf({ ...(env as object), ...closed } as never, "assay.acme.dev");
  const { platform } = harness();
  const dataset = await relayDataset(platform, 1);
  const api = serve({ ...platform, settings: found.settings }, { key: anAccount("acme") });
  const headers = { authorization: "Bearer key" };
  const zone = 'must be outside of this service\'s own zone: "models.acme.dev" is in acme.dev';
  const endpoint = { baseUrl: "https://models.acme.dev/v1", model: "m" };
  const submitted = await api.post(
    "/v1/submissions",
    aSubmission(dataset, {}, { endpoint }),
    headers,
  );
  expect((await problemOf(submitted)).errors).toEqual([
    { pointer: "/models/0/endpoint/baseUrl", detail: zone },
  ]);
  const hook = { url: "https://models.acme.dev/hook", events: ["run.finished"] };
  const hooked = await api.post("/v1/webhooks", hook, headers);
  expect((await problemOf(hooked)).errors).toEqual([{ pointer: "/url", detail: zone }]);
  // A service without keys does not trust the requested host.
  const open = { ...closed, REQUIRE_API_KEY: "false" };
  const anybody = platformOf({ ...(env as object), ...open } as never, "evil.example");
  expect(anybody.settings.ownHosts).toEqual([]);
});
