import { expect, it } from "vitest";
import { idempotencyKeys } from "./submitter.ts";

it("idempotencyKeys() has one key for a body until it is taken", () => {
  let made = 0;
  const keys = idempotencyKeys(() => `k${++made}`);
  expect([keys.keyFor("a"), keys.keyFor("a")]).toEqual(["k1", "k1"]);
  expect([keys.keyFor("b"), keys.keyFor("a")]).toEqual(["k2", "k3"]);
  keys.taken();
  expect(keys.keyFor("a")).toBe("k4");
});

it("idempotencyKeys() makes keys that a header can hold, never the same", () => {
  const [one, other] = [idempotencyKeys().keyFor("a"), idempotencyKeys().keyFor("a")];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(one).not.toBe(other);
});
