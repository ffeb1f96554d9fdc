import { expect, it } from "vitest";
import { proofOf, solves } from "./effort.ts";

const pause = async () => {};

it("proofOf() finds the first number that solves the token", async () => {
  const proof = (await proofOf("10 token", pause)) ?? "";
  const [number, token] = proof.split(" ");
  expect(token).toBe("token");
  expect(solves("token", Number(number), 10)).toBe(true);
  const earlier = Array.from({ length: Number(number) }, (_, i) => solves("token", i, 10));
  expect(earlier).not.toContain(true);
});

it("solves() counts leading zero bits: each additional bit halves the number of solutions", () => {
  const count = (bits: number) =>
    Array.from({ length: 4_096 }, (_, i) => solves("t", i, bits)).filter(Boolean).length;
  expect(count(0)).toBe(4_096);
  expect(count(4)).toBeGreaterThan(180);
  expect(count(4)).toBeLessThan(340);
});

it.each(["", "16", "99 token", "16 two words"])("proofOf() refuses %j", async (challenge) => {
  expect(await proofOf(challenge, pause)).toBeNull();
});
