import { expect, it } from "vitest";
import type { Check, Connection } from "#shared/contracts/submissions/connection.ts";
import { ConnectionResult, verdictOf } from "./ConnectionResult.tsx";

const check = (more: Partial<Check>): Check => ({
  id: "chat",
  label: "Chat",
  outcome: "ok",
  detail: 'answers "<b>"',
  hint: null,
  ms: 120,
  ...more,
});
const refused = check({
  id: "key",
  label: "Key",
  outcome: "failed",
  detail: "401",
  hint: "check it",
});

const aConnection = (more: Partial<Connection>): Connection => ({
  endpoint: "https://a.example/v1",
  model: "m",
  protocol: "chat_completions",
  usable: true,
  checks: [check({}), refused],
  latency: null,
  models: [],
  ...more,
});

it.each([
  [{}, true, "m can be evaluated."],
  [{ usable: false }, true, "m cannot be evaluated."],
  [{ models: ["a"] }, false, "It lists 1 model: choose one in the field “Model at the endpoint”."],
  [{}, false, "It lists no models: 401."],
  [{ checks: [] }, false, "It lists no models."],
])("verdictOf() %j is, tested %s: %s", (more, isTest, text) => {
  expect(verdictOf(aConnection(more), isTest)).toBe(text);
});

it("ConnectionResult() has every check with its hint; a list only what failed", () => {
  const tested = String(ConnectionResult({ connection: aConnection({}), isTest: true }));
  expect(tested).toContain("answers &quot;&lt;b&gt;&quot;");
  expect(tested).toContain("→ check it");
  const listed = String(ConnectionResult({ connection: aConnection({}), isTest: false }));
  expect(listed).not.toContain("Chat");
  expect(listed).toContain("check-failed");
});

it("ConnectionResult() says how long short answers took, and the stated limits", () => {
  const rateLimits = { "x-ratelimit-remaining-requests": "59" };
  const latency = { n: 4, asked: 5, medianMs: 210, minMs: 180, maxMs: 900, rateLimits };
  const html = String(ConnectionResult({ connection: aConnection({ latency }), isTest: true }));
  expect(html).toContain("4 of 5 short answers");
  expect(html).toContain("x-ratelimit-remaining-requests: 59");
});
