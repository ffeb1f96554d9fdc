import { expect, it, vi } from "vitest";
import { z } from "zod";
import { serviceClient } from "./service-client.ts";

it("get() without a key repeats the request with a proof of work if asked for one", async () => {
  const proofs: (string | null)[] = [];
  vi.stubGlobal("fetch", async (_: URL, init: RequestInit) => {
    proofs.push(new Headers(init.headers).get("assay-proof"));
    return proofs.length === 1
      ? new Response("{}", { status: 429, headers: { "assay-challenge": "4 token" } })
      : Response.json({ ok: true });
  });
  const service = serviceClient({ origin: "https://assay.example", apiKey: null }, "submit");
  const schema = z.object({ ok: z.boolean() });
  expect(await service.get("/v1/compare?runs=a,b", schema)).toEqual({ ok: true });
  expect(proofs).toEqual([null, expect.stringMatching(/^\d+ token$/)]);
});

it("get() prints a reason once if a field repeats it", async () => {
  const detail = "they differ in the model";
  const body = { detail, errors: [{ detail }, { pointer: "/b", detail: "is wrong" }] };
  vi.stubGlobal("fetch", async () => Response.json(body, { status: 400 }));
  const service = serviceClient({ origin: "https://assay.example", apiKey: null }, "submit");
  await expect(service.get("/v1/runs/a", z.object({}))).rejects.toThrow(
    /^https:\/\/assay\.example: they differ in the model: \/b: is wrong$/,
  );
});
