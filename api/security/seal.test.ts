import { expect, it } from "vitest";
import { sealer } from "./seal.ts";

const seals = sealer("master");

it("open() gives back what seal() sealed for the same run", async () => {
  expect(await seals.open("run_1", await seals.seal("run_1", "sk-1"))).toBe("sk-1");
});

it("seal() never gives the same text twice, nor the secret", async () => {
  const [a, b] = [await seals.seal("run_1", "sk-secret"), await seals.seal("run_1", "sk-secret")];
  expect(a).not.toBe(b);
  expect(atob(a.split(".")[2] ?? "")).not.toContain("sk-secret");
});

it("open() fails for another run, another master secret and a changed byte", async () => {
  const sealed = await seals.seal("run_1", "sk-1");
  await expect(seals.open("run_2", sealed)).rejects.toThrow();
  await expect(sealer("other").open("run_1", sealed)).rejects.toThrow();
  await expect(seals.open("run_1", sealed.replace("v1.", "v1.A"))).rejects.toThrow();
});

it("seal() refuses to work without a master secret", async () => {
  await expect(sealer("").seal("run_1", "sk-1")).rejects.toThrow("SECRETS_KEY is not set");
});
