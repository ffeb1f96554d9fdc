import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { apiTypes } from "../../cli/pack/build-package.ts";

/** Replies that the command line parses: method, path, status, type of `shared` and its file. */
const read: readonly [string, string, number, string, string][] = [
  ["post", "/v1/submissions", 202, "Submission", "submissions/submission"],
  ["get", "/v1/submissions/{id}", 200, "Submission", "submissions/submission"],
  ["get", "/v1/runs/{id}", 200, "Run", "run"],
  ["post", "/v1/runs/{id}/cancel", 200, "Run", "run"],
  ["get", "/v1/leaderboard", 200, "Leaderboard", "boards/leaderboard"],
  ["post", "/v1/keys", 201, "ApiKey", "keys/api-key"],
  ["delete", "/v1/keys/{id}", 200, "ApiKey", "keys/api-key"],
  ["post", "/v1/schedules", 201, "ScheduleDetail", "schedules/schedule"],
  ["get", "/v1/schedules/{id}", 200, "ScheduleDetail", "schedules/schedule"],
  ["post", "/v1/webhooks", 201, "WebhookWithSecret", "webhooks/webhook"],
  ["get", "/v1/webhooks/{id}", 200, "WebhookWithLog", "webhooks/webhook"],
  ["post", "/v1/webhooks/{id}/test", 200, "Delivery", "webhooks/webhook"],
  ["get", "/v1/datasets/{suite}/{dataset}", 200, "Dataset", "datasets/dataset"],
  ["get", "/v1/suites/{suite}/canaries", 200, "CanaryReport", "judging/canary"],
  [
    "get",
    "/v1/datasets",
    200,
    '{ datasets: import("SHARED/datasets/dataset.ts").ListedDataset[]; nextCursor: string | null }',
    "",
  ],
];

/** Bodies that it sends. Defaults are set before a body is sent, and are optional in the description. */
const sent: readonly [string, string, string, string][] = [
  ["post", "/v1/submissions", "SubmissionRequest", "submissions/submission"],
  ["post", "/v1/keys", "NewApiKey", "keys/api-key"],
  ["post", "/v1/schedules", "NewSchedule", "schedules/schedule"],
  ["post", "/v1/webhooks", "NewWebhook", "webhooks/webhook"],
  ["patch", "/v1/webhooks/{id}", "WebhookChange", "webhooks/webhook"],
  ["post", "/v1/runs/{id}/retry", "RetryRequest", "submissions/run-requests"],
];

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-openapi-types-"));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  writeFileSync(join(folder, "api.ts"), await apiTypes());
});

const shared = (type: string, file: string) =>
  file === ""
    ? type.replaceAll("SHARED", `${root}shared/contracts`)
    : `import("${root}shared/contracts/${file}.ts").${type}`;

const body = '["content"]["application/json"]';
const replyOf = (method: string, path: string, status: number) =>
  `paths["${path}"]["${method}"]["responses"][${status}]${body}`;
const requestOf = (method: string, path: string) =>
  `NonNullable<paths["${path}"]["${method}"]["requestBody"]>${body}`;
const assignable = (from: string, to: string, i: number) =>
  `export const a${i} = (value: ${from}): ${to} => value;`;

/** The compiler's output for these lines next to the generated types. */
async function compilerErrors(lines: readonly string[]): Promise<string> {
  const text = ['import type { paths } from "./api.ts";', ...lines].join("\n");
  writeFileSync(join(folder, "agreement.ts"), text);
  const tsconfig = {
    extends: `${root}tsconfig.base.json`,
    compilerOptions: {
      composite: false,
      emitDeclarationOnly: false,
      noEmit: true,
      // JSON omits undefined properties.
      exactOptionalPropertyTypes: false,
    },
    files: ["api.ts", "agreement.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  const tsc = `${root}node_modules/typescript-native/bin/tsc`;
  const compiled = promisify(execFile)(process.execPath, [tsc, "-p", folder]);
  return compiled.then(
    () => "",
    (error: { stdout: string }) => error.stdout || String(error),
  );
}

it("types generated from the OpenAPI document compile and match the command line's types", async () => {
  const lines = [
    ...read.map(([method, path, status, type, file], i) =>
      assignable(replyOf(method, path, status), shared(type, file), i),
    ),
    ...sent.map(([method, path, type, file], i) =>
      assignable(shared(type, file), requestOf(method, path), read.length + i),
    ),
  ];
  expect(await compilerErrors(lines)).toBe("");
});

it("the request body in the package's README compiles without default values", async () => {
  const readme = readFileSync(join(root, "cli/pack/package/README.md"), "utf8");
  const example = /body: (\{.*?^ {2}\}),$/ms.exec(readme)?.[1];
  const submission = `export const body: ${requestOf("post", "/v1/submissions")} = ${example};`;
  expect(await compilerErrors([submission])).toBe("");
});

it("a type that differs from the description is detected", async () => {
  const line = assignable(replyOf("get", "/v1/runs/{id}", 200), shared("ApiKey", "api-key"), 0);
  expect(await compilerErrors([line])).toContain("agreement.ts(2,");
});
