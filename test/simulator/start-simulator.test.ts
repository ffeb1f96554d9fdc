import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startSimulator } from "../../simulator/start-simulator.ts";
import { jsonLines } from "../support/json-lines.ts";
import { aChat, post, readJson } from "./support/ask.ts";
import { rows } from "./support/rows.ts";
import { useSimulator } from "./support/simulator.ts";

describe("startSimulator()", () => {
  const simulator = useSimulator();

  it("reports in one sentence that a port is in use", async () => {
    const port = Number(new URL(simulator().url).port);
    await expect(startSimulator({ port })).rejects.toThrow(
      `Port ${port} is taken; choose another one.`,
    );
  });

  it("reports in one sentence that a dataset is missing", async () => {
    await expect(startSimulator({ datasets: ["missing.jsonl"] })).rejects.toThrow(
      "The dataset missing.jsonl can't be read",
    );
  });

  it("answers /healthz, and lists models with prices", async () => {
    const health = await fetch(`${simulator().url}/healthz`);
    expect(health.headers.get("x-simulated")).toBe("true");
    expect(await health.json()).toEqual({ status: "ok" });
    const list = await readJson(fetch(`${simulator().baseUrl}/models`));
    expect(list.data).toContainEqual(
      expect.objectContaining({
        id: "sim-large",
        pricing: { inputPerMillion: 2.5, outputPerMillion: 10 },
      }),
    );
  });

  it("marks every answer as simulated", async () => {
    const answers = [
      post(simulator(), aChat("sim-instant")),
      post(simulator(), { ...aChat("sim-instant"), stream: true }),
      post(simulator(), aChat("nope")),
      post(simulator(), aChat("sim-instant?faults=html")),
      fetch(`${simulator().url}/nowhere`),
    ];
    for (const answer of await Promise.all(answers)) {
      expect(answer.headers.get("x-simulated")).toBe("true");
    }
  });

  it("answers 404 for other paths and methods", async () => {
    expect((await post(simulator(), {}, {}, "/completions")).status).toBe(404);
    expect((await fetch(`${simulator().baseUrl}/chat/completions`)).status).toBe(404);
  });

  it.each([
    ["sk-wrong", undefined, 401],
    ["", undefined, 401],
    ["anything", undefined, 200],
    ["anything", "sk-only", 401],
    ["sk-only", "sk-only", 200],
  ])("answers the key '%s', with '%s' configured, with %i", async (key, apiKey, status) => {
    const own = await startSimulator({ ...(apiKey && { apiKey }) });
    const answer = await post(own, aChat("sim-instant"), { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(status);
    await own.close();
  });

  it("closes during requests and leaves no handle open", async () => {
    const before = openHandles();
    const own = await startSimulator({ datasets: [rows] });
    const hanging = ["sim-instant?faults=hang", "sim-instant?latency=60000"].map((model) =>
      post(own, aChat(model)).catch(() => "cut"),
    );
    await expect.poll(() => own.log.entries.length).toBe(2);
    await own.close();
    expect(await Promise.all(hanging)).toEqual(["cut", "cut"]);
    await expect.poll(openHandles).toEqual(before);
    await expect(fetch(own.url)).rejects.toThrow();
  });

  it("writes one line per request to the log, without the key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "simulator-"));
    const own = await startSimulator({ datasets: [rows], log: join(folder, "log.jsonl") });
    await post(own, aChat("sim-instant"), { authorization: "Bearer sk-secret-123" });
    await post(own, "{", {});
    await own.close();
    const text = readFileSync(join(folder, "log.jsonl"), "utf8");
    rmSync(folder, { recursive: true });
    expect(text).not.toContain("sk-secret");
    expect(jsonLines(text)).toMatchObject([
      {
        model: "sim-instant",
        sample: "invoice-0",
        attempt: 1,
        authorized: true,
        status: 200,
        fault: null,
      },
      { model: "unknown", sample: null, attempt: 0, authorized: true, status: 400, fault: null },
    ]);
  });
});

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => /Server|FSReq/.test(kind));
}
