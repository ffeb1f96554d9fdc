import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { localTarget, relayAddress, targetName } from "./local-target.ts";

it.each([
  ["python -u answer.py --fast", "answer.py"],
  ["./run.sh", "run.sh"],
  ["KEY=a.b python -m my.pipeline", "my.pipeline"],
  ["my-agent", "my-agent"],
  ["curl https://user:pw@host.example/", "curl"],
  ["http://pipeline.example.com:9000/a", "pipeline.example.com:9000"],
  ["evals/pipeline.yaml", "pipeline.yaml"],
])("targetName(%s) is %s", (given, name) => {
  expect(targetName(given)).toBe(name);
});

describe("localTarget()", () => {
  const found = (model: object) => {
    const findings: Finding[] = [];
    const target = localTarget([["model"], { name: "m", ...model }], findings);
    return { target, errors: findings.map(({ path, message }) => `${path.join(".")}: ${message}`) };
  };

  it("reads a model's exec or http, and returns null for an endpoint", () => {
    expect(found({ exec: "a", processes: 2 }).target).toEqual({
      kind: "program",
      command: "a",
      processes: 2,
    });
    expect(found({ http: "http://a.example/x" }).target).toEqual({
      kind: "http",
      template: { url: "http://a.example/x" },
    });
    expect(found({ base_url: "http://a.example" })).toEqual({ target: null, errors: [] });
  });

  it.each([
    [{ exec: "a", http: "http://a.example/" }, "model.http: give either exec or http"],
    [{ exec: "a", base_url: "http://a.example/" }, "model.base_url: give either exec or base_url"],
    [
      { http: "http://a.example/", api_key_env: "K" },
      "model.api_key_env: give either http or api_key_env",
    ],
    [{ exec: "a", headers: { A: "b" } }, "model.headers: give either exec or headers"],
    [{ exec: "a", hybrid: { local: {}, cloud: {} } }, "model.hybrid: give either exec or hybrid"],
    [{ exec: " " }, "model.exec: exec is empty: give the command to run"],
    [{ processes: 2 }, "model.processes: needs exec, the command to run"],
    [{ http: { url: "http://a.example/", hedaers: {} } }, /^model.http: .*hedaers/],
    [{ http: { url: "http://{{input}}/" } }, /^model.http.url: must be an address/],
    [{ http: { url: "http://me:pw@a.example/" } }, /^model.http.url: must be an address/],
  ])("refuses %j", (model, error) => {
    expect(found(model).errors).toEqual([
      typeof error === "string" ? error : expect.stringMatching(error),
    ]);
  });
});

it("relayAddress() is the same for the same target and does not contain its command", () => {
  const target = { kind: "program" as const, command: "python secret.py", processes: null };
  expect(relayAddress("a", target)).toMatch(/^http:\/\/127\.0\.0\.1\/[0-9a-f]{12}\/v1$/);
  expect(relayAddress("a", { ...target })).toBe(relayAddress("a", target));
  expect(relayAddress("b", target)).not.toBe(relayAddress("a", target));
});
