import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";

const share = {
  id: "share_1",
  runs: ["run_1"],
  note: "review",
  createdAt: "2026-11-20T00:00:00Z",
  expiresAt: "2026-11-27T00:00:00Z",
  revokedAt: null,
};
const change = { run: "run_1", from: "private", to: "public", shows: ["its report"], hides: [] };

const service = () =>
  fakeService(({ call }) => {
    if (call === "POST /v1/runs/run_1/shares") {
      const link = "/run/?id=run_1#share=v2.token";
      return {
        status: 201,
        body: { ...share, token: "v2.token", link, badge: "/badge/shared.svg?token=b" },
      };
    }
    if (call.startsWith("DELETE ")) {
      return { body: { ...share, revokedAt: "2026-11-21T00:00:00Z" } };
    }
    if (call.startsWith("PATCH ")) return { body: change };
    return { body: { shares: [share] } };
  });

beforeEach(() => void vi.stubEnv("ASSAY_API_KEY", "key"));
afterEach(() => void vi.unstubAllEnvs());

it("assay share prints the link alone, and lists and revokes links without tokens", async () => {
  await using its = await service();
  const call = (...args: string[]) => assay("/none", [...args, "--server", its.url]);
  const made = await call("share", "run_1", "--expires-in-days", "7", "--note", "review");
  expect([made.code, made.stdout]).toEqual([0, `${its.url}/run/?id=run_1#share=v2.token\n`]);
  expect(its.asked[0]?.body).toEqual({ expiresInDays: 7, note: "review", with: [] });
  expect((await call("share", "run_1", "--badge")).stdout).toBe(
    `${its.url}/badge/shared.svg?token=b\n`,
  );
  expect((await call("shares", "list", "run_1")).stdout).toMatch(
    /share_1 +run_1 +2026-11-20 +2026-11-27 +review\n$/,
  );
  expect((await call("shares", "revoke", "run_1", "share_1")).stdout).toMatch(/revoked 2026-11-21/);
  expect((await call("share", "run_1", "--expires-in-days", "soon")).code).toBe(2);
});

it("assay visibility says what would be seen, and changes nothing without --yes", async () => {
  await using its = await service();
  const call = (...args: string[]) => assay("/none", ["visibility", ...args, "--server", its.url]);
  const { code, stdout } = await call("run_1", "public");
  expect([code, stdout]).toEqual([
    0,
    "run_1 is private. Made public, it\n  shows its report\nNothing was changed: add --yes\n",
  ]);
  expect(its.asked.map(({ call: made }) => made)).toEqual(["PATCH /v1/runs/run_1?dryRun=true"]);
  expect((await call("run_1", "secret")).stderr).toMatch(/must be public, unlisted, private/);
});
