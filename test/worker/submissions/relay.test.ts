import { describe, expect, it } from "vitest";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { ChatRequest } from "../../../shared/contracts/chat-request.ts";
import type { Submission } from "../../../shared/contracts/submissions/submission.ts";
import { aSubmission, problemOf, serve } from "../support/client.ts";
import { answering, harness, relayDataset } from "../support/harness.ts";

const endpoint = { baseUrl: "http://127.0.0.1:5000/abc/v1", model: "answer.py", apiKey: "t" };

async function finished(relay: object) {
  const requests: ChatRequest[] = [];
  const ask = answering((request) => {
    requests.push(request);
    return {};
  });
  const { platform, deliverAll } = harness({ ask });
  const dataset = await relayDataset(platform, 2);
  const api = serve(platform);
  const body = aSubmission(dataset, {}, { endpoint: { ...endpoint, ...relay } });
  const submission = (await (await api.post("/v1/submissions", body)).json()) as Submission;
  await deliverAll();
  const run = await api.run(submission.runs[0]?.id ?? "");
  const board = await api.get(`/v1/leaderboard?suite=relay&dataset=${dataset}`);
  const { entries } = (await board.json()) as Leaderboard;
  return { run, requests, entry: entries[0] };
}

describe("an endpoint with relay", () => {
  it("gets the sample without its expected answer; the run is self-reported and ranked", async () => {
    const { run, requests, entry } = await finished({ relay: "program" });
    expect(run).toMatchObject({ status: "finished", metrics: { passed: { value: 1 } } });
    const provenance = { kind: "self-reported", endpointHost: null, relay: "program" };
    expect(run.provenance).toEqual(provenance);
    expect(entry).toMatchObject({ rank: 1, provenance });
    expect(requests.map(({ sample }) => sample?.id).sort()).toEqual(["s0", "s0", "s1", "s1"]);
    expect(requests[0]?.sample).toEqual({ id: "s0", repeat: 0, input: expect.any(String) });
  });

  it("differs from other endpoints, which get only the request", async () => {
    const { run, requests } = await finished({});
    expect(run.provenance).toMatchObject({ kind: "called", endpointHost: "127.0.0.1:5000" });
    expect(requests.some((request) => "sample" in request)).toBe(false);
  });

  it("is refused for an address of another machine", async () => {
    const { platform } = harness();
    const dataset = await relayDataset(platform, 1);
    const model = { endpoint: { ...endpoint, relay: "http", baseUrl: "https://a.example/v1" } };
    const response = await serve(platform).post("/v1/submissions", aSubmission(dataset, {}, model));
    expect((await problemOf(response)).errors).toEqual([
      {
        pointer: "/models/0/endpoint/relay",
        detail: 'is only for the address at which assay run listens, 127.0.0.1, not "http"',
      },
    ]);
  });
});
