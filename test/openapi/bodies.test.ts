import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createApp } from "../../api/app.ts";
import { localAccount } from "../../api/keys/account.ts";
import type { Platform } from "../../api/platform/platform.ts";
import { textHash } from "../../shared/contracts/content-hash.ts";
import { scopeSchema } from "../../shared/contracts/keys/api-key.ts";
import { suiteById, suites } from "../../shared/suites/registry.ts";
import { openapiPath } from "./openapi-file.ts";

const document = JSON.parse(readFileSync(openapiPath, "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
};
interface Operation {
  requestBody?: { content: object };
  security?: object[];
}

/** Every route that writes, with each content type of its body. */
const writes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => !["get", "head", "options"].includes(method))
    .flatMap(([method, { requestBody, security = [] }]) => {
      const types = Object.keys(requestBody?.content ?? { "application/json": {} });
      const takesKeys = security.some((one) => "apiKey" in one);
      if (security.length === 0) return [];
      return types.map((type) => ({ method: method.toUpperCase(), path, type, takesKeys }));
    }),
);
/** Routes that anyone may call with a text. */
const open = ["/v1/reports"];

const session = { hash: textHash("a token"), csrfToken: "csrf", expiresAt: 1, lastUsedAt: 0 };

/**
 * Only the HTTP layer of a service that requires keys or sessions. The key "none" has no scopes, "all" has all; the
 * session's person may submit.
 */
const app = createApp({
  platform: () =>
    ({
      suites: { all: suites, byId: suiteById },
      limiter: { allows: async () => true, periodSeconds: () => 1 },
      settings: { requireApiKey: true, publicReadsKeptMs: 0, ownHosts: [], adminAccounts: [] },
      identityProviders: [],
      accounts: {
        session: async () => ({ session, account: { owner: "mona", provider: "github:" } }),
        markSessionUsed: async () => {},
      },
      organisations: { of: async () => [] },
      bans: { get: async () => null },
      now: () => 0,
    }) as unknown as Platform,
  account: async (_, key) =>
    key === "unknown"
      ? null
      : { ...localAccount, person: "mona", scopes: key === "none" ? [] : scopeSchema.options },
  site: async () => new Response("the site"),
});

const MEGABYTE = 1024 * 1024;
const chunk = new Uint8Array(MEGABYTE).fill(0x20);

/** Sends an endless body, and returns the status and the number of bytes that were read. */
async function sent(
  { method, path, type }: Omit<(typeof writes)[number], "takesKeys">,
  headers: Record<string, string>,
) {
  let bytes = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        bytes += MEGABYTE;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const url = `http://assay.test${path.replaceAll(/\{\w+\}/g, "x")}`;
  const init = { method, body, duplex: "half", headers: { "content-type": type, ...headers } };
  const { status } = await app.request(new Request(url, init as RequestInit));
  return { status, bytes };
}

describe.each(writes.filter(({ path }) => !open.includes(path)))(
  "$method $path with $type",
  (route) => {
    it.each([
      ["no key", {}, 401],
      ["an unknown key", { authorization: "Bearer unknown" }, 401],
      ["an unknown scheme", { authorization: "Basic eDp5" }, 401],
      ["a key without scopes", { authorization: "Bearer none" }, 403],
    ])("reads no body of a request with %s", async (_, headers: Record<string, string>, status) => {
      expect(await sent(route, headers)).toEqual({ status, bytes: 0 });
      const declared = { ...headers, "content-length": `${25 * MEGABYTE}` };
      expect(await sent(route, declared)).toEqual({ status, bytes: 0 });
    });

    it("reads nothing of a body with too large a content-length, and at most 26 MB of others", async () => {
      const headers: Record<string, string> = route.takesKeys
        ? { authorization: "Bearer all" }
        : {
            cookie: "__Host-assay-session=a token",
            origin: "http://assay.test",
            "x-csrf-token": "csrf",
          };
      const declared = { ...headers, "content-length": `${25 * MEGABYTE + 1}` };
      expect(await sent(route, declared)).toEqual({ status: 413, bytes: 0 });
      expect(await sent(route, headers)).toEqual({ status: 413, bytes: 26 * MEGABYTE });
    });
  },
);

it.each(open)("%s reads at most one chunk of an anonymous body", async (path) => {
  const route = writes.find((one) => one.path === path)!;
  const declared = { "content-length": "16385" };
  expect(await sent(route, declared)).toEqual({ status: 413, bytes: 0 });
  // A chunk of the stream has a megabyte.
  expect(await sent(route, {})).toEqual({ status: 413, bytes: MEGABYTE });
});

it("device routes, which anyone may call, read no body", async () => {
  for (const path of ["/v1/device", "/v1/device/key"]) {
    const route = { method: "POST", path, type: "application/json" };
    expect((await sent(route, {})).bytes).toBe(0);
  }
});

it("no other path reads a body, even with a valid key", async () => {
  for (const path of ["/", "/v1/nothing", "/v1/runs", "/badge/a/b.svg", "/healthz"]) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const headers = { authorization: "Bearer all" };
      expect(await sent({ method, path, type: "application/json" }, headers)).toEqual({
        status: expect.toBeOneOf([404, 405]),
        bytes: 0,
      });
    }
  }
});
