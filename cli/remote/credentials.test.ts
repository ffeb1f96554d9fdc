import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { credentialOf, credentialsFile, storeCredential, withStoredKey } from "./credentials.ts";

const before = process.env["XDG_CONFIG_HOME"];
const origin = "https://assay.example.com";
const mona = { owner: "mona", keyId: "key_1", key: "assay_x" };

beforeEach(() => {
  process.env["XDG_CONFIG_HOME"] = mkdtempSync(join(tmpdir(), "assay-config-"));
});

afterEach(() => {
  rmSync(process.env["XDG_CONFIG_HOME"] ?? "", { recursive: true, force: true });
  if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = before;
});

test("storeCredential() stores a key for one service in a file that only the owner can read", () => {
  storeCredential(origin, mona);
  expect(credentialOf(origin)).toEqual(mona);
  expect(credentialOf("https://evil.example")).toBeNull();
  expect(statSync(credentialsFile()).mode & 0o777).toBe(0o600);
  storeCredential(origin, null);
  expect(credentialOf(origin)).toBeNull();
});

test("withStoredKey() does not replace a key from the environment", () => {
  storeCredential(origin, mona);
  expect(withStoredKey({ origin, apiKey: "own" }).apiKey).toBe("own");
  expect(withStoredKey({ origin, apiKey: null }).apiKey).toBe(mona.key);
  expect(withStoredKey({ origin: "http://localhost:8787", apiKey: null }).apiKey).toBeNull();
});

test("credentialOf() refuses a file that others can read and says what to do", () => {
  storeCredential(origin, mona);
  chmodSync(credentialsFile(), 0o644);
  expect(() => credentialOf(origin)).toThrow(/others can read the keys.*chmod 600/);
});

test("credentialOf() refuses a damaged file", () => {
  storeCredential(origin, mona);
  writeFileSync(credentialsFile(), "{");
  expect(() => credentialOf(origin)).toThrow("is damaged");
});
