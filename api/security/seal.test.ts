import { describe, expect, it } from "vitest";
import { keyIdOf, sealer } from "./seal.ts";

const seals = sealer("master");

describe("seal()", () => {
  it("returns a text that open() opens for the same run", async () => {
    const sealed = await seals.seal("run_1", "sk-1 ✓");
    expect(await seals.open("run_1", sealed)).toEqual({ ok: true, value: "sk-1 ✓" });
  });

  it("never returns the same text twice, nor the secret", async () => {
    const [a, b] = [await seals.seal("run_1", "sk-secret"), await seals.seal("run_1", "sk-secret")];
    expect(a).not.toBe(b);
    expect(atob(a.split(".")[3] ?? "")).not.toContain("sk-secret");
  });

  it("names the id of the master secret, not the secret", async () => {
    const [version, keyId] = (await sealer("newest", "older").seal("run_1", "sk")).split(".");
    expect(version).toBe("v2");
    expect(keyId).toBe(keyIdOf("newest"));
    expect(keyId).toMatch(/^[0-9a-f]{8}$/);
  });

  it("throws without a master secret, even with an earlier one", async () => {
    await expect(sealer("").seal("run_1", "sk-1")).rejects.toThrow("SECRETS_KEY is not set");
    await expect(sealer("", "older").seal("run_1", "sk-1")).rejects.toThrow("is not set");
  });
});

describe("open() after the master secret was replaced", () => {
  it.each(["first", "second, first", " second ,first,", "first,second"])(
    "opens what an earlier secret sealed, listed as %j",
    async (previous) => {
      const sealed = await sealer("first").seal("run_1", "sk-1");
      const rotated = sealer("third", previous);
      expect(await rotated.open("run_1", sealed)).toEqual({ ok: true, value: "sk-1" });
      expect((await rotated.seal("run_1", "sk-1")).split(".")[1]).toBe(keyIdOf("third"));
    },
  );

  it.each(["", "second"])(
    "names the id of the missing secret if the earlier ones are %j",
    async (previous) => {
      const sealed = await sealer("first").seal("run_1", "sk-1");
      expect(await sealer("third", previous).open("run_1", sealed)).toEqual({
        ok: false,
        error: { kind: "unknown-key", keyId: keyIdOf("first") },
      });
    },
  );
});

describe("open() reports a damaged secret", () => {
  const damaged = { ok: false, error: { kind: "damaged" } };

  it("if it was sealed for another run", async () => {
    expect(await seals.open("run_2", await seals.seal("run_1", "sk-1"))).toEqual(damaged);
  });

  it("if it claims another key of the deployment", async () => {
    const both = sealer("newest", "older");
    const sealed = await both.seal("run_1", "sk-1");
    const claimed = sealed.replace(keyIdOf("newest"), keyIdOf("older"));
    expect(await both.open("run_1", claimed)).toEqual(damaged);
  });

  it("if any character was changed", async () => {
    const sealed = await seals.seal("run_1", "sk-1");
    const from = sealed.indexOf(".", 3) + 1;
    for (let i = from; i < sealed.length; i++) {
      const changed = sealed[i] === "B" ? "C" : "B";
      if (sealed[i] === ".") continue;
      const tampered = sealed.slice(0, i) + changed + sealed.slice(i + 1);
      if (decodes(tampered) === decodes(sealed)) continue;
      expect(await seals.open("run_1", tampered)).toEqual(damaged);
    }
  });

  it.each(["", "v1.a.b", "v2", "v3.00000000.a.b", "garbage"])("if it is %j", async (sealed) => {
    expect((await seals.open("run_1", sealed)).ok).toBe(false);
  });

  it("if it is truncated", async () => {
    const [version, keyId, iv] = (await seals.seal("run_1", "sk-1")).split(".");
    for (const cut of [
      [version, keyId],
      [version, keyId, iv],
      [version, keyId, iv, ""],
    ]) {
      expect(await seals.open("run_1", cut.join("."))).toEqual(damaged);
    }
  });
});

/** The bytes of a sealed text: changing the last base64 character may not change the bytes. */
function decodes(sealed: string): string {
  try {
    return sealed.split(".").slice(2).map(atob).join();
  } catch {
    return "";
  }
}
