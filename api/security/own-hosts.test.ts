import { expect, it } from "vitest";
import { isOwnHost, ownZoneOf, readOwnHosts } from "./own-hosts.ts";
import { endpointUrlProblem, webhookUrlProblem } from "./public-url.ts";

const own = readOwnHosts(
  "assay.acme.dev, ASSAY.shop.co.uk:8443,,assay.team.workers.dev,other.*.workers.dev, gpu-box.lan",
);

it.each([
  "assay.acme.dev",
  "x.assay.acme.dev",
  "acme.dev",
  "models.acme.dev",
  "a.b.acme.dev",
  "shop.co.uk",
  "api.shop.co.uk",
  "assay.shop.co.uk",
  "team.workers.dev",
  "assay.team.workers.dev",
  "site.team.workers.dev",
  "workers.dev",
  "other.anybody.workers.dev",
  "gpu-box.lan",
])("ownZoneOf() names the zone that %s shares with the service", (host) => {
  expect(ownZoneOf(host, own)).not.toBeNull();
});

it.each([
  "api.openai.com",
  "acme.com",
  "notacme.dev",
  "acme.dev.example.com",
  "other.co.uk",
  "x.dev",
  "assay.neighbour.workers.dev",
  "models.neighbour.workers.dev",
  "8.8.8.8",
  "2606:4700::1111",
])("ownZoneOf() is null for %s", (host) => {
  expect(ownZoneOf(host, own)).toBeNull();
});

it.each(["assay.acme.dev", "assay.acme.dev:8080", "assay.shop.co.uk:8443", "gpu-box.lan:1"])(
  "isOwnHost() is true for %s",
  (host) => expect(isOwnHost(host, own)).toBe(true),
);

it.each(["acme.dev", "x.assay.acme.dev", "assay.shop.co.uk", "assay.shop.co.uk:443", ""])(
  "isOwnHost() is false for %j",
  (host) => expect(isOwnHost(host, own)).toBe(false),
);

it("endpoints and webhooks in the service's own zone are refused unless private ones are allowed", () => {
  const rules = { allowPrivateEndpoints: false, ownHosts: own };
  const problem = 'must be outside of this service\'s own zone: "models.acme.dev" is in acme.dev';
  expect(endpointUrlProblem("https://models.acme.dev/v1", rules)).toBe(problem);
  expect(endpointUrlProblem("https://MODELS.acme.dev:8443/v1", rules)).toBe(problem);
  expect(webhookUrlProblem("https://models.acme.dev/hook?a=b", rules)).toBe(problem);
  const open = { ...rules, allowPrivateEndpoints: true };
  expect(endpointUrlProblem("http://gpu-box.lan:8000/v1", open)).toBeNull();
  expect(endpointUrlProblem("http://localhost:8790/v1", open)).toBeNull();
});
