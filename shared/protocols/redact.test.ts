import { utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { redactDeep, redactor, secretsOf } from "./redact.ts";

declare const btoa: (text: string) => string;

const secret = 'sk-live/9+"q?é 7';
const redact = redactor([secret]);
const base64 = (text: string) => btoa(String.fromCharCode(...utf8ToBytes(text)));

describe("redactor()", () => {
  it.each([
    ["in plain text", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in a URL", encodeURIComponent(secret)],
  ])("redacts a secret %s", (_case, spelled) => {
    expect(redact(`a ${spelled} b ${spelled}`)).toBe("a [redacted] b [redacted]");
  });

  it.each(["", "a", "ab", "abc", "Bearer ", "user:"])(
    "redacts a secret in the base64 of a text that begins with %j",
    (before) => {
      const encoded = base64(`${before}${secret} and more`);
      const url = encoded.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
      for (const text of [encoded, url]) {
        const left = redact(text);
        expect(left).toContain("[redacted]");
        const remains = left.split("[redacted]").map((part) => part.replace(/=+$/, ""));
        expect(remains.join("").length).toBeLessThan(base64(`${before} and more`).length + 6);
      }
    },
  );

  it("redacts the longer of two secrets with the same beginning", () => {
    expect(redactor(["sk-12345678", "sk-12345678-long"])("sk-12345678-long")).toBe("[redacted]");
  });

  it.each([[], ["any"], ["", "1234567"]])("ignores the short secrets %j", (...secrets) => {
    expect(redactor(secrets)("any 1234567 is an answer")).toBe("any 1234567 is an answer");
  });
});

describe("redactDeep()", () => {
  it("redacts every string, name and number", () => {
    const value = { a: [{ [`x-${secret}`]: `is ${secret}` }, null, true, 7], n: 12345678 };
    expect(redactDeep(value, redactor([secret, "12345678"]))).toEqual({
      a: [{ "x-[redacted]": "is [redacted]" }, null, true, 7],
      n: "[redacted]",
    });
  });

  it("cuts off values that are nested too deeply to be stored", () => {
    let deep: unknown = "core";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const text = JSON.stringify(redactDeep(deep, redact));
    expect(text).toBe(`${"[".repeat(100)}"[nested too deeply]"${"]".repeat(100)}`);
  });

  it("keeps __proto__ an own property", () => {
    const value = JSON.parse('{"__proto__": {"polluted": 1}}');
    expect(JSON.stringify(redactDeep(value, redact))).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

it("secretsOf() returns the key, values of private headers, and credentials after an authentication scheme", () => {
  const headers = {
    "cf-aig-authorization": "Bearer cf-12345678",
    "HTTP-Referer": "https://a.example",
  };
  expect(secretsOf({ apiKey: "sk-1", headers })).toEqual([
    "sk-1",
    "Bearer cf-12345678",
    "cf-12345678",
  ]);
  expect(secretsOf({})).toEqual([""]);
});
