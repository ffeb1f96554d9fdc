import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openCloud } from "./cloud/cloud.ts";

describe("the stand-in accepts or refuses uploads with", () => {
  const settings = {
    main_module: "tiny.js",
    compatibility_date: "2026-11-02",
    bindings: [] as object[],
  };

  /** Uploads to an empty account; returns the error code, or null. */
  async function refusal(
    path: string,
    method: string,
    body: () => BodyInit,
    plan: "free" | "paid" = "paid",
  ): Promise<number | null> {
    const cloud = await openCloud({ names: [], account: { plan } });
    const { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token } = cloud.env;
    try {
      const reply = await fetch(`${api}/accounts/${cloud.account.id}/workers/scripts/tiny${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        body: body(),
      });
      const { errors } = (await reply.json()) as { errors: { code: number }[] };
      return errors[0]?.code ?? null;
    } finally {
      await cloud.close();
    }
  }
  const worker = (more: object, bytes = 100) => {
    const form = new FormData();
    form.set("metadata", JSON.stringify({ ...settings, ...more }));
    const type = "application/javascript+module";
    form.set("tiny.js", new File([randomBytes(bytes)], "tiny.js", { type }));
    return form;
  };
  const headers = (rules: number) => {
    const text = Array.from({ length: rules }, (_, k) => `/${k}\n  X-Number: ${k}`).join("\n");
    return { assets: { jwt: "", config: { _headers: text } } };
  };
  const variables = (count: number, text: string) => ({
    bindings: Array.from({ length: count }, (_, k) => ({
      type: "plain_text",
      name: `V${k}`,
      text,
    })),
  });
  const files = (count: number, size: number) =>
    JSON.stringify({
      manifest: Object.fromEntries(
        Array.from({ length: count }, (_, k) => [`/${k}`, { hash: `${k}`, size }]),
      ),
    });

  it.each([
    ["100 rules in _headers", () => worker(headers(100)), null],
    ["101 rules in _headers", () => worker(headers(101)), 100324],
    ["128 variables", () => worker(variables(128, "x")), null],
    ["129 variables", () => worker(variables(129, "x")), 10055],
    [
      "a variable of more than 5 KiB in UTF-8",
      () => worker(variables(1, "é".repeat(2_561))),
      10054,
    ],
    ["a Worker of 9 MB", () => worker({}, 9_000_000), null],
    ["a Worker of 11 MB", () => worker({}, 11_000_000), 10027],
  ])("%s", async (_, body, code) => {
    expect(await refusal("", "PUT", body)).toBe(code);
  });

  it.each([
    ["20,000 files on the Free plan", "free", files(20_000, 1), null],
    ["20,001 files on the Free plan", "free", files(20_001, 1), 100315],
    ["100,001 files", "paid", files(100_001, 1), 100315],
    ["a file of 25 MiB", "paid", files(1, 25 * 2 ** 20), null],
    ["a larger file", "paid", files(1, 25 * 2 ** 20 + 1), 100316],
  ] as const)("%s", async (_, plan, body, code) => {
    expect(await refusal("/assets-upload-session", "POST", () => body, plan)).toBe(code);
  });
});
