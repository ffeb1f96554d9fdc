import { expect, it } from "vitest";
import { Bell } from "./bell.ts";

it("a bell rings for each end of what it was told of", async () => {
  const bell = new Bell();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  bell.after(first.promise);
  bell.after(second.promise);
  let rings = 0;
  const waiting = (async () => {
    for (; rings < 2; rings++) await bell.rung();
  })();
  first.resolve();
  await bell.rung();
  expect(rings).toBe(1);
  second.resolve();
  await waiting;
  expect(rings).toBe(2);
});

it("a bell fails whoever waits, or comes to wait, where work failed", async () => {
  const bell = new Bell();
  bell.after(Promise.reject(new Error("storage is gone")));
  await expect(bell.rung()).rejects.toThrow("storage is gone");
  const later = Promise.resolve();
  bell.after(later);
  await later;
  await expect(bell.rung()).rejects.toThrow("storage is gone");
});
