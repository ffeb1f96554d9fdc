import { describe, expect, it } from "vitest";
import { badgeOf } from "../../../api/badges/badge.ts";
import { findBoard } from "../../../api/boards/board-pages.ts";
import { runCron } from "../../../api/cron.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { republishBoard } from "../../../api/publication/republish-board.ts";
import { emptyAnswer } from "../../../shared/contracts/answer.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { tools } from "../../../shared/suites/tools/suite.ts";
import { pingDataset } from "../support/a-dataset.ts";
import { harness, submitRun } from "../support/harness.ts";

const endpoint = (name: string) => ({ baseUrl: `http://127.0.0.1:8790/${name}`, model: name });
const numberIn = (text: string | null | undefined) => Number(/\d/.exec(text ?? "")?.[0]);

/** Each model is wrong on its first `wrong` samples and takes `latencyMs`. */
const models: Record<string, { wrong: number; latencyMs: number }> = {
  slow: { wrong: 1, latencyMs: 900 },
  quick: { wrong: 3, latencyMs: 10 },
  local: { wrong: 3, latencyMs: 20 },
  cloud: { wrong: 0, latencyMs: 300 },
};

const ask: AskModel = async ({ model }, request) => {
  const n = numberIn(request.messages.at(-1)?.content);
  const { wrong, latencyMs } = models[model]!;
  const toolCalls = [{ name: "ping", arguments: { n: n < wrong ? 99 : n } }];
  const answer = { ...emptyAnswer, requests: 1, attempts: 1, latencyMs, toolCalls };
  return { kind: "answer", answer: { ...answer, confidence: n < 3 ? 0 : 1 } };
};

const submitted = (source: (n: number) => string | undefined) =>
  Array.from({ length: 10 }, (_, n) => {
    const from = source(n);
    const toolCalls = [{ name: "ping", arguments: { n } }];
    return { id: `s${n}`, toolCalls, latencyMs: 5, ...(from !== undefined && { source: from }) };
  });

const registered = { all: suites, byId: suiteById };

async function service(suitesPort: Platform["suites"] = registered) {
  const rig = harness({ ask, suites: suitesPort });
  const dataset = await pingDataset(rig.platform);
  const run = async (name: string, target: object, options: object = {}) => {
    const slug = `acme/${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}`;
    const id = await submitRun(rig.platform, dataset, {
      suite: "tools",
      options,
      models: [{ name, slug, ...target }],
    });
    await rig.deliverAll();
    return { slug, run: (await rig.platform.runs.get(id))! };
  };
  const board = async (headline?: string) => {
    const found = await findBoard(rig.platform, { suite: "tools", dataset, headline });
    return found.ok ? found.value : null;
  };
  return { ...rig, dataset, run, board };
}

const prompt = { promptHash: "a".repeat(64) };

describe("the ranking metric of the tools suite", () => {
  it("is call F1 for plain endpoints and the total for hybrid targets, on separate boards", async () => {
    const { run, board, platform } = await service();
    const slow = await run("Slow", { endpoint: endpoint("slow") });
    const quick = await run("Quick", { endpoint: endpoint("quick") });
    const hybrid = { local: endpoint("local"), cloud: endpoint("cloud"), confidenceThreshold: 0.5 };
    const both = await run("Both", { hybrid });
    expect([slow, quick, both].map((one) => one.run.headline)).toEqual(["avgF1", "avgF1", "total"]);
    expect(both.run.options).toMatchObject({ routed: true });
    expect(slow.run.options).not.toHaveProperty("routed");
    const [plain, routed] = [await board(), await board("total")];
    expect(plain).toMatchObject({ headline: "avgF1", isDefault: true });
    expect(routed).toMatchObject({ headline: "total", isDefault: true });
    expect(routed?.id).not.toBe(plain?.id);
    // The slow model has better calls; the quick model would lead by the total.
    expect(plain?.entries.map(({ model, rank }) => [model.name, rank])).toEqual([
      ["Slow", 1],
      ["Quick", 2],
    ]);
    const [first, second] = plain?.entries ?? [];
    expect(first?.headline.value).toBeCloseTo(0.9);
    expect(first?.metrics["total"]?.value).toBeLessThan(second?.metrics["total"]?.value ?? 0);
    for (const id of ["total", "timeScore", "avgTime"]) {
      expect(first?.metrics[id]?.value, id).toBeTypeOf("number");
    }
    expect(routed?.entries).toMatchObject([{ model: { name: "Both" }, rank: 1 }]);
    const rows = await platform.runs.samples(slow.run.id, -1, 10);
    expect(rows.map(({ score }) => score)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    const routedRows = await platform.runs.samples(both.run.id, -1, 10);
    expect(routedRows[5]?.score).toBeCloseTo(0.6 + 0.15 * (1 - 20 / 500) + 0.25);
    expect(await badgeOf(platform, slow.slug)).toMatchObject({ label: "Assay · tools" });
    expect(await badgeOf(platform, both.slug)).toMatchObject({ label: "Assay · tools (total)" });
    const both2 = await badgeOf(platform, both.slug, { show: "rank" });
    expect(both2.message).toContain("#1/1");
  });

  it("is the total for answers from both device and cloud, and call F1 for others", async () => {
    const { run } = await service();
    const mixed = { answers: submitted((n) => (n < 5 ? "on-device" : "cloud")), ...prompt };
    const cloud = { answers: submitted(() => undefined), ...prompt };
    const device = { answers: submitted(() => "on-device"), ...prompt };
    const headlines = [];
    for (const target of [mixed, cloud, device]) {
      headlines.push((await run("Answers", target)).run.headline);
    }
    expect(headlines).toEqual(["total", "avgF1", "avgF1"]);
    const declared = await run("Answers", cloud, { source: "on-device" });
    expect(declared.run.headline).toBe("avgF1");
  });

  it("is the total for an endpoint that is declared as a router", async () => {
    const { run } = await service();
    const target = { endpoint: endpoint("quick") };
    expect((await run("Router", target, { routed: true })).run.headline).toBe("total");
    expect((await run("Plain", target, { routed: false })).run.headline).toBe("avgF1");
  });

  it("splits an older board with both kinds when the board is re-published", async () => {
    const older: Suite = { ...tools, version: "0.9.0", headline: "total" };
    delete older.headlineOf;
    delete older.optionsFor;
    const rig = await service({ all: [older], byId: () => older });
    const hybrid = { local: endpoint("local"), cloud: endpoint("cloud"), confidenceThreshold: 0.5 };
    await rig.run("Both", { hybrid });
    await rig.run("Slow", { endpoint: endpoint("slow") });
    await rig.run("Quick", { endpoint: endpoint("quick") });
    await rig.run("Cloud", { endpoint: endpoint("cloud") });
    await rig.run("Router", { endpoint: endpoint("local") });
    const old = await rig.board();
    expect(old).toMatchObject({ headline: "total", entries: { length: 5 } });
    rig.platform.suites = registered;
    expect(await republishBoard(rig.platform, old!)).toMatchObject({ ok: true });
    await rig.deliverAll();
    // The second board waited for the first one.
    await runCron(rig.platform);
    await rig.deliverAll();
    const names = async (headline: string) =>
      (await rig.board(headline))?.entries.map(({ model }) => model.name).toSorted();
    expect(await rig.board()).toMatchObject({ headline: "avgF1" });
    expect(await names("avgF1")).toEqual(["Cloud", "Quick", "Router", "Slow"]);
    const routed = await rig.platform.boards.find("tools", rig.dataset, null, {
      id: "total",
      isNeeded: true,
    });
    expect(routed?.supersededBy).toBeNull();
    expect(await names("total")).toEqual(["Both"]);
  });
});
