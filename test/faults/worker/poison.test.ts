import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { deliver, harness, relayDataset, submitRun } from "../../worker/support/harness.ts";
import { relaySuite } from "../../worker/support/relay-suite.ts";
import { proves } from "./proves.ts";

/** Attempts before a message is dead. */
const TRIES = 21;

const garbage: [name: string, body: unknown][] = [
  ["null", null],
  ["a text", "garbage"],
  ["an unknown version", { v: 2, kind: "lane", run: "run_x", lane: 0 }],
  ["an unknown kind", { v: 1, kind: "nonsense", run: "run_x" }],
  ["a negative lane", { v: 1, kind: "lane", run: "run_x", lane: -1 }],
];

describe("a poison message", () => {
  it.each(garbage)("with %s is retried, then dropped", async (_, body) => {
    const { platform } = harness();
    for (const queue of ["evaluate", "finish"]) {
      expect(await deliver(platform, queue, body)).toBe("retry");
    }
    expect(await deliver(platform, "dead", body)).toBe("ack");
    proves("poison message", 2);
  });

  it.each([
    ["evaluate", { v: 1, kind: "lane", run: "run_none", lane: 0 }],
    ["finish", { v: 1, kind: "finalize", run: "run_none" }],
    ["finish", { v: 1, kind: "board", board: "none" }],
    ["dead", { v: 1, kind: "lane", run: "run_none", lane: 0 }],
  ])("on queue %s about a missing run or board is acknowledged", async (queue, body) => {
    expect(await deliver(harness().platform, queue, body)).toBe("ack");
    proves("message about a missing run or board");
  });

  it("for a run that can't be opened ends only this run, with a reason", async () => {
    const { platform, mail, deliverAll } = harness();
    const [doomed, other] = [
      await submitRun(platform, await relayDataset(platform, 3)),
      await submitRun(platform, await relayDataset(platform, 3)),
    ];
    const version = (await platform.runs.get(doomed))?.datasetVersion;
    const broken = withoutDataset(platform, version ?? "");
    const message = mail.evaluate.shift();
    for (let i = 0; i < TRIES; i++)
      expect(await deliver(broken, "evaluate", message)).toBe("retry");
    expect(await deliver(broken, "dead", message)).toBe("ack");
    expect(await platform.runs.get(doomed)).toMatchObject({
      status: "failed",
      sealedSecrets: null,
    });
    expect((await platform.runs.get(doomed))?.statusReason).toContain("failed repeatedly");
    await deliverAll();
    expect(await platform.runs.get(other)).toMatchObject({ status: "finished", done: 3 });
    proves("run that can't be opened");
  });
});

const withoutDataset = (platform: Platform, version: string): Platform => ({
  ...platform,
  datasets: {
    ...platform.datasets,
    index: async (suite, wanted) => {
      if (wanted === version) throw new Error(`missing object datasets/${version}/index.json`);
      return platform.datasets.index(suite, wanted);
    },
  },
});

describe("a unit whose scoring throws", () => {
  it("is recorded as lost, and the run ends", async () => {
    const faulty: typeof relaySuite = {
      ...relaySuite,
      score(sample, answer, options) {
        if (sample.id === "s7") throw new Error("a bug");
        return relaySuite.score(sample, answer, options);
      },
    };
    const { platform, deliverAll } = harness({ suites: { all: [faulty], byId: () => faulty } });
    const run = await submitRun(platform, await relayDataset(platform, 20));
    await deliverAll();
    expect(await platform.runs.get(run)).toMatchObject({ status: "finished", done: 20, failed: 1 });
    expect((await platform.runs.samples(run, 6, 1))[0]).toMatchObject({
      seq: 7,
      status: "unscored",
      errorClass: "lost",
      covered: false,
    });
    proves("unit whose scoring throws");
  });
});
