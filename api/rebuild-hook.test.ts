import { afterEach, expect, it, vi } from "vitest";
import { rebuildHook } from "./rebuild-hook.ts";

const url = "https://hooks.example/deploy/secret-part";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("asks nobody where no hook is set", async () => {
  const fetched = vi.fn();
  vi.stubGlobal("fetch", fetched);
  expect(await rebuildHook("")()).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
});

it.each([
  [200, true],
  [503, false],
])("posts to the hook, which answers %i", async (status, isDone) => {
  const fetched = vi.fn(async () => new Response(null, { status }));
  vi.stubGlobal("fetch", fetched);
  expect(await rebuildHook(url)()).toBe(isDone);
  expect(fetched).toHaveBeenCalledWith(url, expect.objectContaining({ method: "POST" }));
});

it("logs that the hook failed, and nothing of its address", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError(`fetch failed: ${url}`);
  });
  const logged = vi.spyOn(console, "error").mockReturnValue();
  expect(await rebuildHook(url)()).toBe(false);
  expect(logged.mock.calls.flat()).toEqual(['{"event":"rebuild-hook-failed"}']);
});
