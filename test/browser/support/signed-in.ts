import { type StubRoutes, suitesAnswer } from "./stub-api.ts";

export const at = "2026-11-21T12:00:00.000Z";
export const hostile = '"><img src=x onerror=alert(1)>';
export const mona = {
  owner: "mona",
  name: hostile,
  avatarUrl: null,
  provider: "GitHub",
  login: "mona",
  scopes: ["submit"],
  keyId: null,
  csrfToken: "csrf-1",
};
const organisations = [
  { owner: "acme", name: hostile, role: "admin" },
  { owner: "other", name: null, role: "read" },
];
const limit = { used: 1, allowed: 100 };
const usage = {
  day: "2026-11-21",
  usedSamples: 10,
  allowedSamples: 5_000,
  remainingSamples: 4_990,
  usedJudgeUsd: null,
  allowedJudgeUsd: null,
  resetsAt: at,
  owner: "mona",
  datasets: limit,
  datasetVersions: limit,
  datasetBytes: limit,
  runBytes: limit,
  boards: limit,
  sharedWith: [],
};
/** The API's answers for a signed-in person without data. */
export const signedIn: StubRoutes = {
  "GET /v1/account": () => ({ body: mona }),
  "GET /v1/organisations": () => ({ body: { organisations } }),
  "GET /v1/account/keys": () => ({ body: { keys: [] } }),
  "GET /v1/usage": () => ({ body: usage }),
  "GET /v1/account/sessions": () => ({ body: { sessions: [] } }),
  "GET /v1/account/retention": () => ({ body: { rules: [], effects: [] } }),
  "GET /v1/suites": suitesAnswer,
  "GET /v1/datasets": () => ({ body: { datasets: [] } }),
  "GET /v1/shares": () => ({ body: { shares: [] } }),
};
