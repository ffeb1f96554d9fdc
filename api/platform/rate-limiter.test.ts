import { expect, it } from "vitest";
import { rateLimiter } from "./rate-limiter.ts";

it("rateLimiter() allows requests when its binding fails", async () => {
  const broken = { limit: () => Promise.reject(new Error("out of order")) };
  const kinds = {
    read: broken,
    write: broken,
    "public-read": broken,
    comparison: broken,
    "costly-read": broken,
    test: broken,
  };
  const limiter = rateLimiter({ ...kinds, "failed-authentication": broken });
  expect(await limiter.allows("read", "ip:local")).toBe(true);
});
