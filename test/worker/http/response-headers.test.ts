import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { originOf } from "../../../api/http/responses.ts";
import { platformOf } from "../../../api/index.ts";
import { ONE_MOMENT, sitePages } from "../../../api/platform/site-pages.ts";
import { UNKNOWN_ORIGIN } from "../../../shared/contracts/boards/public-origin.ts";
import { anAccount } from "../support/harness.ts";

const worker = (exports as unknown as { default: Fetcher }).default;
const call = (path: string, init?: RequestInit, scheme = "https") =>
  worker.fetch(`${scheme}://assay.test${path}`, init);

/** Every kind of reply: data, problems of all middlewares, badges, pages. */
const data = ["/healthz", "/v1/suites", "/v1/openapi.json", "/v1/nowhere", "/v1/runs/nope"];
const badges = ["/badge/acme/none.svg", "/badge/acme/none.json"];
const pages = ["/", "/leaderboards/", "/%3Cscript%3Ealert(1)%3C/script%3E"];

describe("every reply", () => {
  it.each([...data, ...badges, ...pages])("has strict security headers: %s", async (path) => {
    const { headers } = await call(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "strict-transport-security": "max-age=31536000",
    });
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect(headers.get("content-security-policy")).not.toContain("unsafe");
  });

  it("has strict-transport-security only over TLS", async () => {
    for (const path of ["/v1/suites", "/badge/acme/none.svg", "/"]) {
      const { headers } = await call(path, {}, "http");
      expect(headers.get("strict-transport-security")).toBeNull();
    }
  });

  it.each([
    ["POST", "/v1/submissions", "{"],
    ["POST", "/v1/submissions", "[".repeat(100)],
    ["POST", "/v1/keys", ""],
    ["DELETE", "/v1/keys/none", undefined],
  ])("has strict security headers if it is an error: %s %s %j", async (method, path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await call(path, { method, headers, ...(body !== undefined && { body }) });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });
});

describe("embedding", () => {
  it.each(data)("is allowed for data by fetch but not in frames: %s", async (path) => {
    const { headers } = await call(path);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it.each(badges)("is allowed for badges: %s", async (path) => {
    const { headers } = await call(path);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("x-frame-options")).toBeNull();
    expect(headers.get("content-security-policy")).not.toContain("frame-ancestors");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  it.each(pages)("is forbidden for pages: %s", async (path) => {
    const { headers } = await call(path);
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });
});

describe("pages of the site", () => {
  const appWith = (site: () => Promise<Response>) =>
    createApp({
      platform: () => platformOf({ ...env } as never),
      account: async () => null,
      site: (c) => sitePages({ fetch: site }, c.req.raw, originOf(c)),
    });

  it("keep the headers of the site's Worker", async () => {
    const own = "default-src 'none'; style-src 'self'";
    const app = appWith(async () => {
      return new Response("page", { headers: { "content-security-policy": own } });
    });
    const { headers } = await app.request("/");
    expect(headers.get("content-security-policy")).toBe(own);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  it("can be framed by other sites if the site's Worker allows it", async () => {
    const own = "default-src 'none'; style-src 'self'; frame-ancestors *";
    const app = appWith(async () => {
      return new Response("page", { headers: { "content-security-policy": own } });
    });
    const { headers } = await app.request("/boards/embed/extraction/stock/");
    expect(headers.get("content-security-policy")).toBe(own);
    expect(headers.get("x-frame-options")).toBeNull();
  });

  it.each([
    ["answers 503", async () => new Response("away", { status: 503 })],
    ["can't be reached", () => Promise.reject(new Error("no such service"))],
  ])("are replaced by a page that reloads itself while the site %s", async (_, site) => {
    for (const path of ["/", "/leaderboards/extraction/stock/", "/nowhere"]) {
      const response = await appWith(site as () => Promise<Response>).request(path);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("3");
      expect(await response.text()).toBe(ONE_MOMENT);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
    }
  });
});

describe("the page of a run", () => {
  const file = (path: string) => new Response(path, { headers: { "content-type": "text/html" } });
  const asked: string[] = [];
  const app = createApp({
    platform: () => platformOf({ ...env } as never),
    account: async () => null,
    site: (c) => {
      const fetch = async (given: RequestInfo | URL) => {
        const { pathname } = new URL(given instanceof Request ? given.url : String(given));
        asked.push(pathname);
        const isThere = ["/run/", "/run/samples/", "/runs/run_old/"].includes(pathname);
        return isThere ? file(pathname) : new Response("none", { status: 404 });
      };
      return sitePages({ fetch } as never, c.req.raw, originOf(c));
    },
  });
  const get = async (path: string, method = "GET") => {
    const response = await app.request(`http://localhost:9999${path}`, { method });
    return [response.status, response.headers.get("location"), await response.text()];
  };

  it("is its file if the site has one, else the page that is drawn from the API", async () => {
    expect(await get("/runs/run_old/")).toEqual([200, null, "/runs/run_old/"]);
    expect(await get("/runs/run_new/")).toEqual([200, null, "/run/"]);
    expect(await get("/runs/run_new/?a=1")).toEqual([200, null, "/run/"]);
    expect(await get("/runs/run_new/samples/?path=a")).toEqual([200, null, "/run/samples/"]);
    expect((await get("/runs/run_new/", "HEAD"))[0]).toBe(200);
  });

  it("is redirected to a URL with a slash, which the page needs to find the run", async () => {
    expect(await get("/runs/run_new?a=1")).toEqual([307, "/runs/run_new/?a=1", ""]);
  });

  it.each(["/runs/", "/runs/a/b/", "/runs/%3Cb%3E/", "/models/a/b/"])(
    "%s is not one",
    async (path) => {
      asked.length = 0;
      expect(await get(path)).toEqual([404, null, "none"]);
      expect(asked).toEqual([path]);
    },
  );
});

describe("the service's address", () => {
  const page = `<p>curl ${UNKNOWN_ORIGIN}/v1/suites</p><p>tag:${new URL(UNKNOWN_ORIGIN).hostname},2026:x</p>`;
  const html = { "content-type": "text/html; charset=utf-8", etag: '"a"' };
  const appAt = (publicOrigin: string, body = page, headers: Record<string, string> = html) =>
    createApp({
      platform: () =>
        platformOf({ ...env, PUBLIC_ORIGIN: publicOrigin, OWN_HOSTS: "10.0.0.1" } as never),
      account: async () => null,
      site: (c) =>
        sitePages({ fetch: async () => new Response(body, { headers }) }, c.req.raw, originOf(c)),
    });

  it.each([
    ["from the request", "", "http://localhost:9999", "localhost"],
    ["from the setting", "https://assay.example/", "https://assay.example", "assay.example"],
    ["from the request if the setting is invalid", "assay", "http://localhost:9999", "localhost"],
  ])("is inserted into pages, %s", async (_, publicOrigin, origin, host) => {
    const response = await appAt(publicOrigin).request("http://localhost:9999/guides/submitting/");
    expect(await response.text()).toBe(`<p>curl ${origin}/v1/suites</p><p>tag:${host},2026:x</p>`);
    // The site's ETag is that of the page before the insertion.
    expect(response.headers.get("etag")).toBeNull();
  });

  it("leaves files without a placeholder unchanged, with their ETag", async () => {
    const app = appAt("", "<p>page</p>");
    const response = await app.request("http://localhost:9999/");
    expect([await response.text(), response.headers.get("etag")]).toEqual(["<p>page</p>", '"a"']);
    const script = { "content-type": "text/javascript; charset=utf-8" };
    const other = await appAt("", UNKNOWN_ORIGIN, script).request("http://localhost:9999/a.js");
    expect(await other.text()).toBe(UNKNOWN_ORIGIN);
  });

  it("is also used in problems of a deployment behind a proxy", async () => {
    const response = await appAt("https://assay.example").request("http://10.0.0.1/v1/nowhere");
    const { type } = (await response.json()) as { type: string };
    expect(type).toBe("https://assay.example/errors/not-found/");
  });

  it("is the only origin that may write without a key", async () => {
    const app = appAt("https://assay.example");
    const write = async (origin: string) => {
      const headers = { origin, "content-type": "application/json" };
      return (
        await app.request("http://10.0.0.1/v1/submissions", { method: "POST", headers, body: "{" })
      ).status;
    };
    expect(await write("https://assay.example")).not.toBe(403);
    expect(await write("https://evil.example")).toBe(403);
  });
});

describe("a page of another origin", () => {
  const foreign = { origin: "https://evil.example" };
  const json = { "content-type": "application/json" };
  const write = (headers: Record<string, string>, path = "/v1/submissions") =>
    call(path, { method: "POST", headers, body: "{}" });

  it("may read, without credentials", async () => {
    const { status, headers } = await call("/v1/suites", { headers: foreign });
    expect(status).toBe(200);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  });

  it.each([
    ["JSON", { ...foreign, ...json }, "/v1/submissions"],
    [
      "a simple request",
      { ...foreign, "content-type": "text/plain" },
      "/v1/datasets?suite=x&name=y",
    ],
    ["a form", { ...foreign, "content-type": "multipart/form-data; boundary=x" }, "/v1/datasets"],
    ["from a frame without origin", { origin: "null", ...json }, "/v1/submissions"],
    ["from another scheme", { origin: "http://assay.test", ...json }, "/v1/submissions"],
    ["from another port", { origin: "https://assay.test:444", ...json }, "/v1/submissions"],
    ["with sec-fetch-site only", { "sec-fetch-site": "cross-site", ...json }, "/v1/submissions"],
    ["from a sibling domain", { "sec-fetch-site": "same-site", ...json }, "/v1/submissions"],
    [
      "with another scheme's header",
      { ...foreign, ...json, authorization: "Basic x" },
      "/v1/submissions",
    ],
    ["an action", { ...foreign }, "/v1/runs/x/cancel"],
  ])("may not write without a key: %s", async (_case, headers, path) => {
    const response = await write(headers, path);
    expect(response.status).toBe(403);
    expect(((await response.json()) as { detail: string }).detail).toContain(
      "Authorization: Bearer",
    );
  });

  it("passes the preflight for a write with a key, which is then checked", async () => {
    const preflight = await call("/v1/submissions", {
      method: "OPTIONS",
      headers: {
        ...foreign,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization");
    expect((await write({ ...foreign, ...json, authorization: "Bearer guess" })).status).toBe(401);
  });

  it("may submit with a known key", async () => {
    const platform = platformOf({ ...env } as never);
    const app = createApp({
      platform: () => ({ ...platform, settings: { ...platform.settings, requireApiKey: true } }),
      account: async (_c, key) => (key === "known" ? anAccount("acme") : null),
      site: async () => new Response("the site"),
    });
    const site = { origin: "https://site.example" };
    const wanted = "authorization,content-type,idempotency-key";
    const preflight = await app.request("https://assay.test/v1/submissions", {
      method: "OPTIONS",
      headers: {
        ...site,
        "access-control-request-method": "POST",
        "access-control-request-headers": wanted,
      },
    });
    expect(preflight.headers.get("access-control-allow-headers")).toBe(wanted);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
    const headers = { ...site, ...json, authorization: "Bearer known", "idempotency-key": "k" };
    const posted = await app.request("https://assay.test/v1/submissions", {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(posted.status).toBe(422);
    expect(posted.headers.get("access-control-allow-origin")).toBe("*");
    expect(posted.headers.get("access-control-expose-headers")).toContain("location");
  });

  it.each([
    ["our own page", { origin: "https://assay.test", ...json }],
    ["our own page by sec-fetch-site", { "sec-fetch-site": "same-origin", ...json }],
    ["no browser", { ...json }],
  ])("is not %s", async (_case, headers) => {
    expect((await write(headers)).status).toBe(422);
  });
});
