import { JSDOM } from "jsdom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RunReport } from "#shared/contracts/run-report.ts";
import { loadOthers } from "./load-samples.ts";

let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("document", new JSDOM(`<p data-api="https://api.example">`).window.document);
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url.slice("https://api.example".length));
    const board = { dataset: { version: "v1" }, entries: [{ run: "a" }, { run: "b" }] };
    return Response.json(url.includes("/v1/leaderboard") ? board : { samples: [] });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const reportOf = (more: Pick<RunReport, "hasBoard">) =>
  ({
    run: { id: "a", dataset: { name: "own/set", version: "v1" } },
    suite: { id: "tools" },
    ...more,
  }) as unknown as RunReport;

it("loadOthers() has the answers of the other models on the board", async () => {
  const others = await loadOthers(reportOf({ hasBoard: true }), "s1");
  expect(others.map(({ entry }) => entry.run)).toEqual(["b"]);
  expect(asked[0]).toBe("/v1/leaderboard?suite=tools&dataset=own%2Fset");
});

it("loadOthers() requests nothing if the dataset has no board", async () => {
  expect(await loadOthers(reportOf({ hasBoard: false }), "s1")).toEqual([]);
  expect(asked).toEqual([]);
});
