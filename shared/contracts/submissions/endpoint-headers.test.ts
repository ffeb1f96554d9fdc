import { describe, expect, it } from "vitest";
import { endpointHeadersSchema, endpointKeySchema, headerProblem } from "./endpoint-headers.ts";

it.each([
  ["api-key", "k-1"],
  ["x-api-key", "k-1"],
  ["X-API-Key", "k-1"],
  ["OpenAI-Organization", "org-1"],
  ["HTTP-Referer", "https://acme.example"],
  ["X-Title", "Nightly evaluation"],
  ["CF-Access-Client-Id", "id.access"],
  ["cf-access-client-secret", "s"],
  ["cf-aig-authorization", "Bearer k"],
  ["anthropic-version", "2023-06-01"],
  ["x-portkey-config", '{"a": "b"}'],
])("headerProblem() allows %s: %s", (name, value) => {
  expect(headerProblem(name, value)).toBeNull();
});

describe.each([
  ["apiKey", ["authorization", "Authorization", "AUTHORIZATION"]],
  [
    "set by Assay",
    [
      "content-type",
      "Content-Length",
      "CONTENT-ENCODING",
      "accept",
      "Accept-Encoding",
      "expect",
      "User-Agent",
    ],
  ],
  ["session", ["cookie", "Cookie2", "Set-Cookie"]],
  [
    "connection",
    [
      "Connection",
      "keep-alive",
      "Proxy-Authorization",
      "proxy-connection",
      "TE",
      "Trailer",
      "Transfer-Encoding",
      "upgrade",
      "HTTP2-Settings",
    ],
  ],
  [
    "forge",
    [
      "host",
      "Host",
      "Via",
      "Forwarded",
      "X-Forwarded-For",
      "x-forwarded-host",
      "X-Real-IP",
      "True-Client-IP",
      "x-client-ip",
    ],
  ],
  [
    "what is called",
    ["X-Original-URL", "x-rewrite-url", "X-HTTP-Method-Override", "x-method-override"],
  ],
  ["network", ["cf-connecting-ip", "CF-Worker", "cf-ray", "CDN-Loop"]],
  ["browsers", ["Sec-Fetch-Site", "sec-websocket-key"]],
  [
    "no header name",
    [
      "",
      "a b",
      "a:b",
      "host ",
      " host",
      "hos\tt",
      "x\r\ny",
      "x\u0000",
      "ｈｏｓｔ",
      "x-é",
      "(x)",
      "x".repeat(101),
    ],
  ],
])("headerProblem() has a message with “%s”", (reason, names) => {
  it.each(names)("for the header %j", (name) => {
    expect(headerProblem(name, "v")).toContain(reason);
  });
});

it.each([
  "",
  " k",
  "k ",
  "k\n",
  "a\r\nHost: evil.example",
  "a\nb",
  "a\u0000b",
  "a\u007fb",
  "a\u0085b",
  "évaluation",
  "schlüssel\u2019",
  "钥匙",
  "\u202eyek",
])("headerProblem() and endpointKeySchema refuse the value %j", (value) => {
  expect(headerProblem("x-key", value)).toContain("visible ASCII");
  expect(endpointKeySchema.safeParse(value).success).toBe(false);
});

it("headerProblem() refuses a value that is too long", () => {
  expect(headerProblem("x-key", "k".repeat(4097))).toContain("4096");
});

describe("endpointHeadersSchema", () => {
  const issuesOf = (headers: unknown) => {
    const parsed = endpointHeadersSchema.safeParse(headers);
    return (parsed.error?.issues ?? []).map(({ path, message }) => ({ path, message }));
  };

  it("names each header that can't be set and never quotes a value", () => {
    const issues = issuesOf({ Host: "evil-value", "x-ok": "v", cookie: "evil-value" });
    expect(issues.map(({ path }) => path)).toEqual([["Host"], ["cookie"]]);
    expect(JSON.stringify(issues)).not.toContain("evil-value");
  });

  it("refuses a header that is given twice in different case", () => {
    expect(issuesOf({ "X-Key": "a", "x-key": "b" })).toEqual([
      { path: ["x-key"], message: '"x-key" is a duplicate, in different case' },
    ]);
  });

  it("accepts at most twenty headers", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, "v"]));
    expect(issuesOf(many(20))).toEqual([]);
    expect(issuesOf(many(21))[0]?.message).toBe("must be at most 20 headers, not 21");
  });

  it("accepts only strings as values", () => {
    expect(issuesOf({ "x-a": null })).toHaveLength(1);
    expect(issuesOf({ "x-a": ["b"] })).toHaveLength(1);
  });
});
