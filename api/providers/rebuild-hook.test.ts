import { expect, it, vi } from "vitest";
import { rebuildHook } from "./rebuild-hook.ts";

const github = "https://api.github.com/repos/acme/assay/dispatches";
const hook = "https://hooks.example/build/s3cret";

function mockFetch(reply: () => Response | Promise<Response>) {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => reply());
  return { logged, sent: () => new Request(...(fetched.mock.calls[0] ?? [""])), fetched };
}

it("rebuildHook() posts to a deploy hook, without the token", async () => {
  const { sent } = mockFetch(() => Response.json({ success: true }));
  expect(await rebuildHook(hook, "ghp_x")()).toBe(true);
  expect([sent().method, sent().url, sent().headers.get("authorization")]).toEqual([
    "POST",
    hook,
    null,
  ]);
});

it("rebuildHook() dispatches a GitHub event with the token", async () => {
  const { sent } = mockFetch(() => new Response(null, { status: 204 }));
  expect(await rebuildHook(github, "ghp_x")()).toBe(true);
  expect(sent().headers.get("authorization")).toBe("Bearer ghp_x");
  expect(sent().headers.get("user-agent")).toBe("assay");
  expect(await sent().json()).toEqual({ event_type: "assay-results" });
});

it.for([
  "https://api.github.com.evil.example/repos/acme/assay/dispatches",
  "https://evil.example/?https://api.github.com/repos/acme/assay/dispatches",
  "http://api.github.com/repos/acme/assay/dispatches",
])("rebuildHook() never sends the token to %s", async (url) => {
  const { sent } = mockFetch(() => new Response());
  await rebuildHook(url, "ghp_x")();
  expect(sent().headers.get("authorization")).toBeNull();
});

it.for<[string, () => Response]>([
  ["is refused", () => new Response("no", { status: 401 })],
  ["is redirected", () => new Response(null, { status: 302, headers: { location: "x" } })],
  [
    "fails",
    () => {
      throw new Error(`connect to ${hook} with ghp_x`);
    },
  ],
])("rebuildHook() returns false without logging a secret if the call %s", async ([, reply]) => {
  const { logged } = mockFetch(reply);
  expect(await rebuildHook(hook, "ghp_x")()).toBe(false);
  const [line] = logged.mock.calls.flat() as string[];
  expect(line).toContain("rebuild-hook-failed");
  expect(line).not.toMatch(/s3cret|ghp_x/);
});

it("rebuildHook() refuses an address with a user name or password, and logs neither", async () => {
  const { fetched, logged } = mockFetch(() => new Response());
  expect(await rebuildHook("https://me:s3cret@hooks.example/build")()).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
  expect(logged.mock.calls.flat().join()).toContain("user name or password");
  expect(logged.mock.calls.flat().join()).not.toContain("s3cret");
});

it("rebuildHook() calls nothing if no hook is set", async () => {
  const { fetched } = mockFetch(() => new Response());
  expect(await rebuildHook("")()).toBe(false);
  expect(fetched).not.toHaveBeenCalled();
});
