import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../../shared/contracts/problem.ts";

const worker = (exports as unknown as { default: Fetcher }).default;
const json = { "content-type": "application/json" };

const post = (path: string, body: BodyInit, headers: Record<string, string> = json) =>
  worker.fetch(`http://assay.test${path}`, { method: "POST", headers, body });

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("content-type")).toContain("application/problem+json");
  return (await response.json()) as Problem;
}

const megabytes = 1024 * 1024;

describe("a body with too many values", () => {
  it("is refused before it is parsed, since it would exceed the memory", async () => {
    const body = `{"x":[${'{"a":1},'.repeat(300_000)}1]}`;
    const response = await post("/v1/submissions", body);
    expect(response.status).toBe(413);
    expect((await problemOf(response)).detail).toContain("more than 500000 values");
  });

  it("is refused with its line as a row of a dataset", async () => {
    const row = `{"id": "a", "text": "x", "schema": {}, "expected_output": [${"[1],".repeat(60_000)}1]}`;
    const path = "/v1/datasets?suite=extraction&name=dense";
    const response = await post(path, row, { "content-type": "application/jsonl" });
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toMatchObject([
      { line: 1, detail: expect.stringContaining("more than 100000 values") },
    ]);
  });
});

describe("a body that is not UTF-8", () => {
  const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const row = (id: string, text: string) =>
    `{"id": "${id}", "text": "${text}", "schema": {}, "expected_output": {}}\n`;
  const jsonl = { "content-type": "application/jsonl" };

  it("is refused as JSON, since its texts would be stored with wrong characters", async () => {
    const response = await post("/v1/submissions", latin('{"suite": "caf\xe9"}'));
    expect(response.status).toBe(400);
    expect((await problemOf(response)).detail).toContain("not UTF-8");
  });

  it("is refused with its line as a row of a dataset", async () => {
    const file = latin(row("a", "x") + row("b", "caf\xe9"));
    const path = "/v1/datasets?suite=extraction&name=latin";
    const response = await post(path, file, jsonl);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).errors).toEqual([
      { line: 2, detail: "the line is not UTF-8 text: save the file in UTF-8" },
    ]);
    const partly = await post(`${path}&allowPartial=true`, file, jsonl);
    expect(await partly.json()).toMatchObject({ samples: 1, malformed: [{ line: 2 }] });
  });
});

describe("a body that is nested deeply", () => {
  const half = 5 * megabytes;

  it.each([
    ["arrays", `${"[".repeat(half)}${"]".repeat(half)}`, "/0/0/0/0/0/0/0/0"],
    ["arrays that never end", "[".repeat(2 * half), "/0/0/0/0/0/0/0/0"],
    ["objects", '{"a":'.repeat(half / 2), "/a/a/a/a/a/a/a/a"],
    [
      "an option",
      `{"options":{"x":${"[".repeat(half)}${"]".repeat(half)}}}`,
      "/options/x/0/0/0/0/0/0",
    ],
  ])("is refused with a pointer at ten megabytes: %s", async (_case, body, pointer) => {
    const response = await post("/v1/submissions", body);
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors).toEqual([
      { pointer, detail: "arrays and objects are nested deeper than 64 here; flatten them" },
    ]);
  });

  it("is refused on every route that takes JSON", async () => {
    const deep = `${"[".repeat(65)}${"]".repeat(65)}`;
    for (const path of ["/v1/keys", "/v1/runs/x/cancel", "/v1/submissions?dryRun=true"]) {
      expect((await post(path, deep)).status).toBe(422);
    }
  });

  it("is accepted up to sixty-four levels", async () => {
    const response = await post("/v1/submissions", `${"[".repeat(64)}${"]".repeat(64)}`);
    expect((await problemOf(response)).errors?.[0]?.detail).not.toContain("nested");
  });

  it("is refused with its line as a row of a dataset", async () => {
    const path = "/v1/datasets?suite=extraction&name=deep";
    const deep = (levels: number) =>
      `{"id": "a", "text": "x", "schema": {"type": "object"}, "expected_output": ${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;
    const response = await post(path, [deep(1_000_000), deep(2)].join("\n"), {
      "content-type": "application/jsonl",
    });
    expect(response.status).toBe(422);
    const { errors } = await problemOf(response);
    expect(errors?.map(({ line }) => line)).toContain(1);
    expect(errors?.[0]?.detail).toBe(
      "/expected_output/a/a/a/a/a/a/a nests arrays and objects deeper than 128",
    );
  });
});

describe("a body that is too large", () => {
  /** A body without a length: workerd sends it in chunks. */
  const chunked = (bytes: number) => {
    const chunk = new Uint8Array(megabytes).fill(0x20);
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= bytes) return controller.close();
        sent += chunk.length;
        controller.enqueue(chunk);
      },
    });
  };

  it.each([
    ["/v1/submissions", "application/json"],
    ["/v1/datasets?suite=extraction&name=large", "application/jsonl"],
    ["/v1/datasets?suite=extraction&name=large", "multipart/form-data; boundary=x"],
  ])("is refused with 413, with and without a length: %s as %s", async (path, type) => {
    for (const body of [new Uint8Array(26 * megabytes), chunked(26 * megabytes)]) {
      const response = await post(path, body, { "content-type": type });
      expect(response.status).toBe(413);
      expect((await problemOf(response)).detail).toContain("26214400 bytes");
    }
  });

  it("is not one of 2 MB that arrives in chunks", async () => {
    const response = await post("/v1/submissions", chunked(2 * megabytes));
    expect(response.status).toBe(400);
    expect((await problemOf(response)).title).toBe("The body is not JSON");
  });
});

describe("a property named __proto__", () => {
  const polluted = () => ({}) as Record<string, unknown>;

  it("changes nothing else in a submission", async () => {
    const model = `{"name": "x", "endpoint": {"baseUrl": "https://a.example/v1", "model": "m"}, "__proto__": {"answers": []}, "__proto__": {"simulated": true}}`;
    const body = `{"suite": "extraction", "dataset": "none", "__proto__": {"visibility": "unlisted", "polluted": 1}, "models": [${model}], "options": {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}`;
    const response = await post("/v1/submissions", body);
    expect(response.status).toBe(422);
    expect(polluted()["polluted"]).toBeUndefined();
    expect(polluted()["visibility"]).toBeUndefined();
  });

  it("stays a property of a dataset's row", async () => {
    const row = `{"id": "a", "text": "x", "schema": {"type": "object"}, "expected_output": {"__proto__": {"polluted": 1}}, "__proto__": {"polluted": 1}}`;
    const path = "/v1/datasets?suite=extraction&name=proto&allowPartial=true";
    const response = await post(path, row, { "content-type": "application/jsonl" });
    expect([201, 422]).toContain(response.status);
    expect(polluted()["polluted"]).toBeUndefined();
  });
});
