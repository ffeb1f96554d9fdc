import { expect, it } from "vitest";
import { apiConfig, resourceNames, type WranglerConfig } from "./worker-configs.ts";
import { committedConfigs } from "./write-configs.ts";

it("apiConfig() gives each deployment of an account its own rate limits and queues", () => {
  const limits = { name: "LIMIT_READS", namespace_id: "1001" };
  const committed: WranglerConfig = {
    vars: { DEAD_LETTER_QUEUE: "assay-dead" },
    ratelimits: [limits, { ...limits, namespace_id: "1002" }],
    queues: { consumers: [{ queue: "assay-evaluate", dead_letter_queue: "assay-dead" }] },
  };
  const configOf = (name: string) =>
    apiConfig(committed, {
      names: resourceNames(name, `${name}-site`, ["assay-evaluate", "assay-dead"]),
      databaseId: "",
      account: null,
      plan: "paid",
      domain: null,
      location: "auto",
      revision: "r",
      root: "",
    });
  const [mine, yours] = [configOf("mine"), configOf("yours")];
  expect(mine.queues?.consumers?.[0]?.["dead_letter_queue"]).toBe("mine-dead");
  expect(mine["vars"]).toMatchObject({ DEAD_LETTER_QUEUE: "mine-dead" });
  const ids = [mine, yours].flatMap(({ ratelimits = [] }) =>
    ratelimits.map((one) => String(one["namespace_id"])),
  );
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[1-9]\d{0,9}$/);
});

it("wrangler.toml names the dead-letter queue in the variable that the Worker reads", async () => {
  const { api } = await committedConfigs();
  const { local } = api["env"] as Record<string, WranglerConfig>;
  for (const config of [api, local!]) {
    const queues = new Set(
      config.queues?.consumers?.flatMap((one) => one["dead_letter_queue"] ?? []),
    );
    expect([...queues]).toEqual([(config["vars"] as Record<string, unknown>)["DEAD_LETTER_QUEUE"]]);
  }
});

it("wrangler.toml consumes all queues that this version or earlier versions send to", async () => {
  const { api } = await committedConfigs();
  const { producers = [], consumers = [] } = api.queues ?? {};
  const lanesMax = Number((api["vars"] as Record<string, unknown>)["LANES_MAX"]);
  const consumed = consumers.map((one) => String(one["queue"]));
  const sent = producers.map((one) => String(one["queue"]));
  const before = ["evaluate", "judge", "finish", "webhooks", "dead"].map((one) => `assay-${one}`);
  expect(new Set(consumed)).toEqual(new Set([...sent, ...before]));
  const ofModels = consumers.filter((one) => String(one["queue"]).startsWith("assay-evaluate"));
  const most = ofModels.map((one) => one["max_concurrency"] as number);
  expect(ofModels).toHaveLength(12);
  // A lane's place selects its queue, so there must be enough consumers for every lane with a seat.
  expect(most.reduce((sum, one) => sum + one, 0)).toBe(2 * lanesMax);
});
