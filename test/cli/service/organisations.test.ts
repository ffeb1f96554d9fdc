import { beforeEach, expect, it, vi } from "vitest";
import { assay } from "../support/assay.ts";
import { fakeService } from "../support/fake-service.ts";

const invitation = {
  id: "inv_1",
  owner: "acme",
  role: "read",
  person: null,
  createdBy: "mona",
  expiresAt: "2026-11-27T00:00:00Z",
};
const link = "https://assay.example/account/organisations/#invitation=a-token";
const member = { person: "jo", role: "read", addedAt: "2026-11-20T00:00:00Z", addedBy: "mona" };
const answers: Record<string, object> = {
  "GET /v1/organisations": {
    organisations: [{ owner: "acme", name: "A\u001b[31m", role: "admin" }],
  },
  "GET /v1/organisations/acme/members": { members: [member] },
  "POST /v1/organisations/acme/invitations": { ...invitation, link },
  "POST /v1/invitation/accept": invitation,
  "PATCH /v1/organisations/acme/members/jo": { owner: "acme", person: "jo", role: "admin" },
  "DELETE /v1/organisations/acme/members/jo": { owner: "acme", person: "jo" },
  "GET /v1/account": { owner: "jo" },
};
const service = () => fakeService(({ call }) => ({ body: answers[call] ?? "no such route" }));

beforeEach(() => void vi.stubEnv("ASSAY_API_KEY", "key"));
it.each([
  [["list"], /^organisation +role +name\nacme +admin +A \[31m\n$/, "GET /v1/organisations"],
  [["members", "acme"], /jo +read +2026-11-20\n$/, "GET /v1/organisations/acme/members"],
  [["invite", "acme", "--role", "read"], `${link}\n`, "POST /v1/organisations/acme/invitations"],
  [["accept", link], "you are in acme, with the role read\n", "POST /v1/invitation/accept"],
  [
    ["role", "acme", "jo", "admin"],
    /jo has the role admin/,
    "PATCH /v1/organisations/acme/members/jo",
  ],
  [["remove", "acme", "jo"], /jo is no longer in acme/, "DELETE /v1/organisations/acme/members/jo"],
  [["leave", "acme"], /you are no longer in acme/, "DELETE /v1/organisations/acme/members/jo"],
])("assay org %j calls the service and prints the result", async (args, said, last) => {
  await using api = await service();
  const call = (...more: string[]) =>
    assay("/none", ["org", ...args, ...more, "--server", api.url]);
  const { code, stdout } = await call();
  expect([code, stdout]).toEqual([
    0,
    typeof said === "string" ? said : expect.stringMatching(said),
  ]);
  expect(stdout).not.toContain("\u001b");
  expect(api.asked.at(-1)?.call).toBe(last);
  expect(JSON.parse((await call("--json")).stdout)).toEqual(answers[last]);
});

it("assay org refuses an invalid link, role or number of days without a request", async () => {
  await using api = await service();
  const call = (...args: string[]) => assay("/none", ["org", ...args, "--server", api.url]);
  for (const args of [
    ["accept", "https://assay.example/#x y"],
    ["role", "acme", "jo", "owner"],
    ["invite", "acme", "--days", "0"],
  ]) {
    expect((await call(...args)).code).toBe(2);
  }
  expect(api.asked).toEqual([]);
});
