import { expect, it } from "vitest";
import { Tasks } from "./lane.ts";

it("Tasks.nextEnd() resolves once for each task that ends", async () => {
  const tasks = new Tasks();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  tasks.watch(first.promise);
  tasks.watch(second.promise);
  let ends = 0;
  const waiting = (async () => {
    for (; ends < 2; ends++) await tasks.nextEnd();
  })();
  first.resolve();
  await tasks.nextEnd();
  expect(ends).toBe(1);
  second.resolve();
  await waiting;
  expect(ends).toBe(2);
});

it("Tasks.nextEnd() rejects for every waiter after a failed task, also for later ones", async () => {
  const tasks = new Tasks();
  tasks.watch(Promise.reject(new Error("storage is gone")));
  await expect(tasks.nextEnd()).rejects.toThrow("storage is gone");
  const later = Promise.resolve();
  tasks.watch(later);
  await later;
  await expect(tasks.nextEnd()).rejects.toThrow("storage is gone");
});
