import { beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";

const share = {
  id: "share_1",
  runs: ["run_1"],
  opens: null,
  note: "review",
  createdBy: "ada",
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
    if (call === "POST /v1/shares") {
      const opens = { parity: "acme/hosts" };
      return {
        status: 201,
        body: { ...share, runs: [], opens, token: "t", link: "/own/#share=t" },
      };
    }
    if (call.startsWith("GET /v1/shares")) {
      const board = { suite: "extraction", dataset: "acme/tickets" };
      return { body: { shares: [{ ...share, runs: [], opens: { board } }], nextCursor: null } };
    }
    if (call.startsWith("DELETE ")) {
      return { body: { ...share, revokedAt: "2026-11-21T00:00:00Z" } };
    }
    if (call.startsWith("PATCH ")) return { body: change };
    return { body: { shares: [share] } };
  });

beforeEach(() => void vi.stubEnv("ASSAY_API_KEY", "key"));
it("assay share prints only the link; assay shares lists and revokes links without tokens", async () => {
  await using api = await service();
  const call = (...args: string[]) => assay("/none", [...args, "--server", api.url]);
  const made = await call("share", "run_1", "--expires-in-days", "7", "--note", "review");
  expect([made.code, made.stdout]).toEqual([0, `${api.url}/run/?id=run_1#share=v2.token\n`]);
  expect(api.asked[0]?.body).toEqual({ expiresInDays: 7, note: "review", with: [] });
  expect((await call("share", "run_1", "--badge")).stdout).toBe(
    `${api.url}/badge/shared.svg?token=b\n`,
  );
  await call("share", "run_1", "--badge", "--metric", "eqs");
  expect(api.asked.at(-1)?.body).toEqual({ expiresInDays: 30, with: [], metric: "eqs" });
  expect((await call("share", "run_1", "--metric", "eqs")).code).toBe(2);
  expect((await call("shares", "list", "run_1")).stdout).toMatch(
    /share_1 +run_1 +2026-11-20 +ada +2026-11-27 +review\n$/,
  );
  await call("shares", "list", "--owner", "acme");
  expect(api.asked.at(-1)?.call).toBe("GET /v1/shares?owner=acme&limit=200");
  expect((await call("shares", "list", "run_1", "--owner", "acme")).code).toBe(2);
  expect((await call("shares", "revoke", "run_1", "share_1")).stdout).toMatch(/revoked 2026-11-21/);
  expect((await call("share", "run_1", "--expires-in-days", "soon")).code).toBe(2);
});

it("assay share accepts boards, parities and judgings; assay shares lists all links of the account", async () => {
  await using api = await service();
  const call = (...args: string[]) => assay("/none", [...args, "--server", api.url]);
  expect((await call("share", "acme/hosts")).stdout).toBe(`${api.url}/own/#share=t\n`);
  await call("share", "acme/tickets", "--board", "extraction");
  await call("share", "sub_1", "sub_2");
  expect(api.asked.map(({ body }) => body)).toEqual([
    { expiresInDays: 30, parity: "acme/hosts" },
    { expiresInDays: 30, board: { suite: "extraction", dataset: "acme/tickets" } },
    { expiresInDays: 30, judgings: ["sub_1", "sub_2"] },
  ]);
  for (const args of [
    ["run_1", "run_2"],
    ["acme/hosts", "--with", "run_1"],
    ["a/b", "--badge"],
  ]) {
    expect((await call("share", ...args)).code).toBe(2);
  }
  expect((await call("shares", "list")).stdout).toMatch(
    /share_1 +board of extraction, acme\/tickets/,
  );
  await call("shares", "revoke", "share_1");
  await call("shares", "revoke", "run_1", "share_1");
  expect(api.asked.slice(-2).map(({ call: made }) => made)).toEqual([
    "DELETE /v1/shares/share_1",
    "DELETE /v1/runs/run_1/shares/share_1",
  ]);
});

it("assay visibility states the effect and changes nothing without --yes", async () => {
  await using api = await service();
  const call = (...args: string[]) => assay("/none", ["visibility", ...args, "--server", api.url]);
  const { code, stdout } = await call("run_1", "public");
  expect([code, stdout]).toEqual([
    0,
    "run_1 is private. Made public, it\n  shows its report\nNothing was changed: add --yes\n",
  ]);
  expect(api.asked.map(({ call: made }) => made)).toEqual(["PATCH /v1/runs/run_1?dryRun=true"]);
  expect((await call("run_1", "secret")).stderr).toMatch(/must be public, unlisted, private/);
});
