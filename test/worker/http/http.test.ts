import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { platformOf } from "../../../api/index.ts";
import type { Problem } from "../../../shared/contracts/problem.ts";

const call = (path: string, init?: RequestInit) =>
  (exports as unknown as { default: Fetcher }).default.fetch(`http://assay.test${path}`, init);

const post = (path: string, body: unknown) =>
  call(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

const row = (id: string) =>
  JSON.stringify({
    id,
    text: "The total is 12.",
    schema: { type: "object", properties: { total: { type: "number" } } },
    expected_output: { total: 12 },
  });

const upload = (name: string, jsonl: string, more = "&visibility=public") =>
  call(`/v1/datasets?suite=extraction&name=${name}${more}`, {
    method: "POST",
    headers: { "content-type": "application/jsonl" },
    body: jsonl,
  });

const problemOf = async (response: Response) => {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  return (await response.json()) as Problem;
};

const answers = [{ id: "a", output: '{"total": 12}' }];

describe("POST /v1/datasets", () => {
  it("gives the same rows the same version", async () => {
    const first = await upload("once", [row("a"), row("b")].join("\n"));
    expect(first.status).toBe(201);
    const stored = (await first.json()) as { version: string };
    const again = (await (
      await upload("once", `${row("a")}\n${row("b")}\n`)
    ).json()) as typeof stored;
    expect(stored).toMatchObject({ samples: 2, malformed: [] });
    expect(again.version).toBe(stored.version);
  });

  it("stores source and licence", async () => {
    const stated = {
      visibility: "public",
      license: "CC-BY-4.0",
      source: "https://data.example/rows",
    };
    await upload("told", row("a"), `&${new URLSearchParams(stated)}`);
    await upload("untold", row("a"));
    const list = (await (await call("/v1/datasets?suite=extraction")).json()) as {
      datasets: { name: string }[];
    };
    const named = (name: string) => list.datasets.find((dataset) => dataset.name === name);
    expect(named("told")).toMatchObject(stated);
    expect(named("untold")).not.toHaveProperty("license");
  });

  it("accepts the file in a form", async () => {
    const form = new FormData();
    form.set("file", new File([row("a")], "rows.jsonl"));
    const path = "/v1/datasets?suite=extraction&name=form";
    expect((await call(path, { method: "POST", body: form })).status).toBe(201);
  });

  it("stores nothing and names line and reason of malformed rows", async () => {
    const response = await upload("broken", [row("a"), "{", '{"id": "c"}'].join("\n"));
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors?.map((error) => error.line)).toEqual([2, 3]);
    const list = (await (await call("/v1/datasets?suite=extraction")).json()) as {
      datasets: { name: string }[];
    };
    expect(list.datasets.map((dataset) => dataset.name)).not.toContain("broken");
  });

  it("reports rows that are not valid Unicode", async () => {
    const response = await upload("surrogate", row("a").replace("The total", "\\ud800"));
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.[0]?.detail).toContain("/text contains half");
  });

  it("refuses a body that is not a form despite its content type", async () => {
    const headers = { "content-type": "multipart/form-data" };
    const path = "/v1/datasets?suite=extraction&name=form";
    expect((await call(path, { method: "POST", headers, body: "x" })).status).toBe(415);
  });

  it("never changes the visibility of a version", async () => {
    await upload("seen", row("a"));
    expect((await upload("seen", row("a"), "&visibility=unlisted")).status).toBe(409);
  });

  it("stores the valid rows with allowPartial", async () => {
    const response = await upload("partly", [row("a"), "{"].join("\n"), "&allowPartial=true");
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ samples: 1, malformed: [{ line: 2 }] });
  });

  it.each([
    ["a blank licence", "/v1/datasets?suite=extraction&name=x&license=%20", "license"],
    ["a source without https", "/v1/datasets?suite=extraction&name=x&source=http://a.b", "source"],
    ["an unknown suite", "/v1/datasets?suite=nope&name=x", "suite"],
    ["no name", "/v1/datasets?suite=extraction", "name"],
  ])("refuses %s and names the parameter", async (_case, path, parameter) => {
    const response = await call(path, { method: "POST", body: row("a") });
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors?.[0]?.parameter).toBe(parameter);
  });
});

describe("POST /v1/submissions", () => {
  it("accepts answers and gives the run's id", async () => {
    await upload("accepts", row("a"));
    const body = {
      suite: "extraction",
      dataset: "accepts",
      models: [{ name: "My model", answers }],
    };
    const response = await post("/v1/submissions", body);
    expect(response.status).toBe(202);
    const created = (await response.json()) as {
      id: string;
      runs: { id: string; model: string }[];
    };
    expect(response.headers.get("location")).toBe(`/v1/submissions/${created.id}`);
    expect(created.runs[0]?.model).toBe("local/my-model");
    expect((await call(`/v1/submissions/${created.id}`)).status).toBe(200);
    const run = await call(`/v1/runs/${created.runs[0]?.id}`);
    expect(await run.json()).toMatchObject({
      progress: { total: 1 },
      provenance: { kind: "self-reported" },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["an unknown suite", { suite: "nope" }, "/suite"],
    ["an unknown dataset", { dataset: "nowhere" }, "/dataset"],
    ["an unknown option", { options: { temprature: 0 } }, "/options/temprature"],
    ["an option out of range", { options: { concurrency: 0 } }, "/options/concurrency"],
    ["an unknown field", { modles: [] }, "/modles"],
    ["no models", { models: [] }, "/models"],
    ["a blank name", { models: [{ name: "  ", answers }] }, "/models/0/name"],
    [
      "a name with a control character",
      { models: [{ name: "a\u0000", answers }] },
      "/models/0/name",
    ],
    [
      "half a surrogate pair in a name",
      { models: [{ name: "\ud800", answers }] },
      "/models/0/name",
    ],
    [
      "half a surrogate pair in an option",
      { options: { systemPrompt: "\ud800" } },
      "/options/systemPrompt",
    ],
    [
      "a prompt without the text",
      { options: { userPrompt: "Extract from {txt}" } },
      "/options/userPrompt",
    ],
    ["a model without endpoint and answers", { models: [{ name: "x" }] }, "/models/0"],
    ["a malformed slug", { models: [{ name: "x", slug: "No Slug", answers }] }, "/models/0/slug"],
    [
      "an answer to an unknown sample",
      { models: [{ name: "x", answers: [{ id: "zz", output: "" }] }] },
      "/models/0/answers/0/id",
    ],
    [
      "an answer with an unknown field",
      { models: [{ name: "x", answers: [{ id: "a", output: "", latency_ms: 5 }] }] },
      "/models/0/answers/0/latency_ms",
    ],
    [
      "tool calls that the suite does not read",
      { models: [{ name: "x", answers: [{ id: "a", toolCalls: [] }] }] },
      "/models/0/answers/0/toolCalls",
    ],
    [
      "a confidence above 1",
      { models: [{ name: "x", answers: [{ id: "a", output: "", confidence: 7 }] }] },
      "/models/0/answers/0/confidence",
    ],
    [
      "an endpoint with a password in its address",
      { models: [{ name: "x", endpoint: { baseUrl: "https://a:b@example.com/v1", model: "m" } }] },
      "/models/0/endpoint/baseUrl",
    ],
    [
      "two models with the same slug",
      {
        models: [
          { name: "x", answers },
          { name: "x", answers },
        ],
      },
      "/models/1/slug",
    ],
  ])("refuses %s with a pointer", async (_case, change, pointer) => {
    await upload("refuses", row("a"));
    const body = {
      suite: "extraction",
      dataset: "refuses",
      models: [{ name: "x", answers }],
      ...change,
    };
    const response = await post("/v1/submissions", body);
    expect(response.status).toBe(422);
    const problem = await problemOf(response);
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
    expect(problem.type).toBe("http://assay.test/errors/invalid-request/");
  });

  it("names an unknown suite before other errors", async () => {
    const near = await post("/v1/submissions", { suite: "extracton", models: [] });
    expect((await problemOf(near)).errors).toMatchObject([
      { pointer: "/suite", detail: 'there is no suite "extracton"; did you mean extraction?' },
      { pointer: "/dataset" },
      { pointer: "/models" },
    ]);
    const far = await post("/v1/submissions", { suite: "x", dataset: "a", models: [] });
    const { errors } = await problemOf(far);
    expect(errors?.[0]?.detail).toMatch(/^there is no suite "x"; try extraction, /);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded"])(
    "refuses a body of type %s",
    async (type) => {
      const init = { method: "POST", headers: { "content-type": type }, body: "{}" };
      const response = await call("/v1/submissions", init);
      expect(response.status).toBe(415);
      expect((await problemOf(response)).detail).toContain("content-type: application/json");
    },
  );

  it("refuses a body that is not JSON", async () => {
    const response = await post("/v1/submissions", "{");
    expect(response.status).toBe(400);
    expect((await problemOf(response)).title).toBe("The body is not JSON");
  });
});

describe("GET requests", () => {
  it.each([
    "/v1/runs/nope",
    "/v1/runs/nope/samples",
    "/v1/runs/nope/samples/a",
    "/v1/submissions/x",
    "/v1/nowhere",
    "/v1/leaderboard?suite=extraction&dataset=none",
  ])("answer 404 as a problem for %s", async (path) => {
    const response = await call(path);
    expect(response.status).toBe(404);
    await problemOf(response);
  });

  it.each([
    ["DELETE", "/v1/leaderboard", "GET, HEAD"],
    ["GET", "/v1/connections", "POST"],
    ["PUT", "/v1/runs/nope", "GET, HEAD, PATCH, DELETE"],
    ["POST", "/healthz", "GET, HEAD"],
  ])("answer 405 with the allowed methods for another method: %s %s", async (...row) => {
    const [method, path, allow] = row;
    const response = await call(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    const isOfApi = path.startsWith("/v1/");
    const exposed = response.headers.get("access-control-expose-headers") ?? "";
    expect(exposed.split(",").includes("allow")).toBe(isOfApi);
    const { title, detail } = await problemOf(response);
    expect([title, detail]).toEqual([
      "Method not allowed",
      `${path} takes ${allow}, not ${method}`,
    ]);
  });

  it("repeat only the beginning of a very long path", async () => {
    const { instance = "", detail } = await problemOf(await call(`/v1/${"x".repeat(9_000)}`));
    expect([instance.length, detail.length]).toEqual([500, 500 + "no such route: GET ".length]);
    expect(instance).toMatch(/^\/v1\/xxx/);
  });

  it("give an unknown model a grey badge, as SVG and JSON", async () => {
    const svg = await call("/badge/acme/unknown.svg");
    expect(svg.status).toBe(200);
    expect(svg.headers.get("content-type")).toContain("image/svg+xml");
    expect(await svg.text()).toContain("not evaluated");
    expect(await (await call("/badge/acme/unknown.json")).json()).toEqual({
      schemaVersion: 1,
      label: "Assay",
      message: "not evaluated",
      color: "lightgrey",
      style: "flat",
    });
  });

  it("describe the API in OpenAPI 3.1", async () => {
    const document = (await (await call("/v1/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
    };
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        "/v1/submissions",
        "/v1/runs/{id}",
        "/v1/datasets",
        "/v1/leaderboard",
      ]),
    );
  });

  it("of other paths are answered by the site", async () => {
    expect(await (await call("/anything")).text()).toBe("the site");
  });
});

it.each(["/v1/account/retention", "/v1/runners/lab"])(
  "PUT %s without a body asks for its content type",
  async (path) => {
    const response = await call(path, { method: "PUT" });
    expect(response.status).toBe(415);
    expect((await problemOf(response)).detail).toContain("without a content type");
  },
);

describe("actions on a run with an optional body", () => {
  it.each(["resume", "retry", "rescore"])("accept a request without a body: %s", async (action) => {
    const path = `/v1/runs/run_x/${action}`;
    const json = { "content-type": "application/json" };
    expect((await call(path, { method: "POST" })).status).toBe(404);
    expect((await call(path, { method: "POST", headers: json })).status).toBe(404);
    const plain = { "content-type": "text/plain" };
    const response = await call(path, { method: "POST", headers: plain });
    expect(response.status).toBe(415);
    expect((await problemOf(response)).detail).toContain("content-type: application/json");
  });
});

describe("an unknown query parameter", () => {
  it.each([
    ["POST", "/v1/submissions?dryrun=true", "dryrun", "; did you mean dryRun?"],
    ["PATCH", "/v1/datasets/extraction/acme/x?dryrun=true", "dryrun", "; did you mean dryRun?"],
    ["POST", "/v1/runs/run_x/rescore?dryRun=true", "dryRun", ""],
    ["GET", "/v1/runs/run_x/samples?stauts=failed", "stauts", "; did you mean status?"],
    ["DELETE", "/v1/runs/run_x?yes=1", "yes", ""],
  ])("is refused: %s %s", async (...row) => {
    const [method, path, parameter, near] = row;
    const response = await call(path, { method });
    expect(response.status).toBe(422);
    const detail = `there is no parameter "${parameter}" here${near}`;
    expect((await problemOf(response)).errors).toEqual([{ parameter, detail }]);
  });

  it("is refused, as is a known one that is given twice", async () => {
    const response = await call("/v1/submissions?dryRun=true&dryRun=true", { method: "POST" });
    const detail = '"dryRun" is given 2 times: give it once';
    expect((await problemOf(response)).errors).toEqual([{ parameter: "dryRun", detail }]);
  });

  it("does not include `reason`, which the audit log reads on every route", async () => {
    expect((await call("/v1/runs/run_x?reason=spam", { method: "DELETE" })).status).toBe(404);
  });
});

describe("a deployment that requires API keys", () => {
  const closed = createApp({
    platform: () => ({
      ...platformOf({ ...env } as never),
      settings: { ...platformOf({ ...env } as never).settings, requireApiKey: true },
    }),
    account: async (_c, key) =>
      key === "good"
        ? { owner: "acme", scopes: ["submit"], keyId: null, dailySamples: null }
        : null,
    site: async () => new Response("the site"),
  });
  const submission = (slug: string) => ({
    method: "POST",
    body: JSON.stringify({
      suite: "extraction",
      dataset: "closed",
      models: [{ name: "x", slug, answers }],
    }),
  });
  const headers = { "content-type": "application/json" };

  it.each([
    ["no key", {}],
    ["an unknown key", { authorization: "Bearer bad" }],
  ])("answers 401 to %s and stores nothing", async (_case, more) => {
    const init = { ...submission("acme/x"), headers: { ...headers, ...more } };
    const response = await closed.request("/v1/submissions", init);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
  });

  it("lets a key submit only for its owner", async () => {
    await upload("closed", row("a"));
    const init = { headers: { ...headers, authorization: "Bearer good" } };
    const own = await closed.request("/v1/submissions", { ...submission("acme/x"), ...init });
    expect(own.status).toBe(202);
    const other = await closed.request("/v1/submissions", { ...submission("demo/x"), ...init });
    expect(other.status).toBe(422);
    expect((await problemOf(other)).errors?.[0]?.pointer).toBe("/models/0/slug");
  });

  it("refuses reads with an unknown key, which could only find public data", async () => {
    const headers = { authorization: "Bearer bad" };
    const response = await closed.request("/v1/runs/run_x", { headers });
    expect(response.status).toBe(401);
    expect((await problemOf(response)).detail).toContain("unknown, expired or revoked");
    const asPublic = { headers: { ...headers, "x-assay-public": "1" } };
    expect((await closed.request("/v1/runs/run_x", asPublic)).status).toBe(404);
  });

  it("serves reads without a key", async () => {
    expect((await closed.request("/v1/suites")).status).toBe(200);
  });
});
