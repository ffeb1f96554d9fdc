import { beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";

const key = {
  id: "key_1",
  owner: "acme",
  name: "nightly job",
  scopes: ["submit"],
  createdAt: "2026-11-01T00:00:00Z",
  expiresAt: null,
  dailySamples: 5000,
  revokedAt: null,
  lastUsedAt: "2026-11-21T10:00:00Z",
};
const revoked = { ...key, id: "key_2", revokedAt: "2026-11-20T00:00:00Z" };

const keys = () =>
  fakeService(({ call }) => {
    if (call === "POST /v1/keys") return { status: 201, body: { ...key, key: "assay_secret" } };
    if (call === "DELETE /v1/keys/key_2") return { body: revoked };
    return { body: { keys: [key, revoked] } };
  });

beforeEach(() => {
  vi.stubEnv("ASSAY_API_KEY", "the operator's".replace(/\W/g, ""));
});

it("assay keys create prints only the key on standard output", async () => {
  await using service = await keys();
  const { code, stdout, stderr } = await assay("/none", [
    "keys",
    "create",
    "--owner",
    "acme",
    "--name",
    "nightly job",
    "--daily-samples",
    "5000",
    "--server",
    service.url,
  ]);
  expect([code, stdout]).toEqual([0, "assay_secret\n"]);
  expect(stderr).toBe("key key_1 of acme, shown only once:\n");
  expect(service.asked[0]?.body).toEqual({
    owner: "acme",
    name: "nightly job",
    dailySamples: 5000,
  });
});

it("assay keys list and revoke print tables without keys", async () => {
  await using service = await keys();
  const list = await assay("/none", ["keys", "list", "--server", service.url]);
  expect(list.stdout).toMatch(
    /^id +owner +name +scopes +created +expires +last used +samples a day\n/,
  );
  expect(list.stdout).toMatch(/key_2 .* revoked 2026-11-20 /);
  const { stdout } = await assay("/none", ["keys", "revoke", "key_2", "--server", service.url]);
  expect(stdout).toContain("revoked 2026-11-20");
});

it.each([
  [["keys", "lst"], "unknown command keys lst; did you mean list?"],
  [["keys", "make"], "unknown command keys make; choose create, list, revoke"],
  [["keys", "revoke"], "<id> is required: Id of the key; assay keys list prints the ids"],
  [["keys", "list", "x"], 'unexpected argument "x"; --help lists the arguments'],
  [["keys", "create", "--owner", "acme"], "--name NAME is required"],
])("assay %j fails with a reason", async (args, message) => {
  expect(await assay("/none", args)).toEqual({ code: 2, stdout: "", stderr: `${message}\n` });
});

it.each([[["keys"]], [["help", "keys"]], [["keys", "--help"]]])(
  "assay %j lists the commands of the group",
  async (args) => {
    const { code, stdout } = await assay("/none", args);
    expect([code, stdout]).toEqual([0, expect.stringContaining("keys revoke  revoke an API key")]);
  },
);
