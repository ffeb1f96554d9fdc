import { JSDOM } from "jsdom";
import { afterEach, expect, it, vi } from "vitest";
import type { Check, Connection } from "#shared/contracts/submissions/connection.ts";
import { ConnectionResult, verdictOf } from "./ConnectionResult.tsx";
import { offerConnection } from "./connection.ts";
import { settingFields } from "./form-values.ts";
import type { SubmitPage } from "./submit-page.ts";

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
])("verdictOf() %j, with a test: %s, is %s", (more, isTest, text) => {
  expect(verdictOf(aConnection(more), isTest)).toBe(text);
});

it("ConnectionResult() has every check of a test with its hint, but only failed checks of a list", () => {
  const tested = String(ConnectionResult({ connection: aConnection({}), isTest: true }));
  expect(tested).toContain("answers &quot;&lt;b&gt;&quot;");
  expect(tested).toContain("→ check it");
  const listed = String(ConnectionResult({ connection: aConnection({}), isTest: false }));
  expect(listed).not.toContain("Chat");
  expect(listed).toContain("check-failed");
});

it("ConnectionResult() shows how long short answers took, and the rate limits", () => {
  const rateLimits = { "x-ratelimit-remaining-requests": "59" };
  const latency = { n: 4, asked: 5, medianMs: 210, minMs: 180, maxMs: 900, rateLimits };
  const html = String(ConnectionResult({ connection: aConnection({ latency }), isTest: true }));
  expect(html).toContain("4 of 5 short answers");
  expect(html).toContain("x-ratelimit-remaining-requests: 59");
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const kept = ["name", "visibility", "inputPerMillion", "batches"];

it.each([
  ...["baseUrl", "model", "endpointKey", "protocol", ...settingFields].map(
    (name) => [name, ""] as const,
  ),
  ...kept.map((name) => [name, "a-1 can be evaluated."] as const),
])("offerConnection() after a change of %s shows %j", (name, left) => {
  const { window } = new JSDOM(
    `<form><input name="${name}"><p data-connection-status>a-1 can be evaluated.</p><p data-connection></p></form>`,
  );
  vi.stubGlobal("HTMLElement", window.HTMLElement);
  const form = window.document.querySelector("form")!;
  offerConnection({ form } as unknown as SubmitPage);
  form.querySelector("input")!.dispatchEvent(new window.Event("input", { bubbles: true }));
  expect(form.querySelector("[data-connection-status]")!.textContent).toBe(left);
});
