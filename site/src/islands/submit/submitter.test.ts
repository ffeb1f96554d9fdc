import { expect, it } from "vitest";
import { idempotencyKeys } from "./submitter.ts";

it("idempotencyKeys() reuses the key of a body until it is taken", () => {
  let made = 0;
  const keys = idempotencyKeys(() => `k${++made}`);
  expect([keys.keyFor("a"), keys.keyFor("a")]).toEqual(["k1", "k1"]);
  expect([keys.keyFor("b"), keys.keyFor("a")]).toEqual(["k2", "k3"]);
  keys.taken();
  expect(keys.keyFor("a")).toBe("k4");
});

it("idempotencyKeys() makes unique keys that are valid in a header", () => {
  const [first, second] = [idempotencyKeys().keyFor("a"), idempotencyKeys().keyFor("a")];
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(first).not.toBe(second);
});
