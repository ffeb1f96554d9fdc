import { describe, expect, it } from "vitest";
import { chargeOf, dayOf, endOfDay, overQuotaDetail, quotaOf } from "./quota.ts";

const lastSecond = Date.parse("2026-11-21T23:59:59Z");

describe("quotaOf()", () => {
  const account = { owner: "acme", scopes: [], keyId: "key_1", dailySamples: null };
  const platform = {
    settings: { dailySampleQuota: 500, ownerLimits: { datasets: {} } },
    accounts: { byOwner: async () => null, sharing: async () => [] },
  } as unknown as Parameters<typeof quotaOf>[0];

  it("is the key's own quota, else the deployment's", async () => {
    const own = await quotaOf(platform, { ...account, dailySamples: 7 });
    expect(own?.allowedSamples).toBe(7);
    expect((await quotaOf(platform, account))?.allowedSamples).toBe(500);
  });

  it("is null without a key", async () => {
    expect(await quotaOf(platform, { ...account, keyId: null })).toBeNull();
  });
});

it("dayOf() and endOfDay() use midnight UTC", () => {
  expect(dayOf(lastSecond)).toBe("2026-11-21");
  expect(endOfDay(lastSecond) - lastSecond).toBe(1000);
  expect(dayOf(endOfDay(lastSecond))).toBe("2026-11-22");
});

it("chargeOf() counts usage of unlimited keys, and nothing without a key", () => {
  const quota = { key: "key_1", allowedSamples: null };
  expect(chargeOf(quota, 5, lastSecond)).toEqual({
    key: "key_1",
    day: "2026-11-21",
    samples: 5,
    allowed: Number.MAX_SAFE_INTEGER,
  });
  expect(chargeOf(null, 5, lastSecond)).toBeNull();
});

it("overQuotaDetail() names the samples requested, allowed, used and left", () => {
  const charge = { key: "k", day: "d", samples: 60, allowed: 100 };
  const detail = overQuotaDetail({ charge, used: 70 }, "this", "wait");
  expect(detail).toMatch(/^this needs 60 samples .* midnight UTC: wait$/);
  expect(detail).toContain("daily quota of 100 samples 70 are used and 30");
});
