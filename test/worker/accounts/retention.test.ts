import { expect, it } from "vitest";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { problemOf, serve } from "../support/client.ts";
import { anAccount, harness } from "../support/harness.ts";
import { ownDataset, ownRun } from "../support/owned-things.ts";

const DAY_MS = 86_400_000;

it("deletes answers, and runs, of the account after the days that it sets, by dataset", async () => {
  const clock = { now: Date.parse("2026-11-21T00:00:00Z") };
  const { platform, deliverAll } = harness({ now: () => clock.now });
  const owner = `ada-${crypto.randomUUID().slice(0, 8)}`;
  const api = serve(platform, {
    own: anAccount(owner, { person: owner }),
    member: anAccount("acme", { person: owner }),
  });
  const as = { authorization: "Bearer own" };
  const [data, other] = [
    await ownDataset(platform, owner, "a"),
    await ownDataset(platform, owner, "b"),
  ];
  const before = await ownRun(platform, owner, data);
  const stranger = await ownRun(platform, "bob", data);
  const rules = [
    { dataset: null, answerDays: 30, runDays: null },
    { dataset: other, answerDays: null, runDays: 60 },
  ];
  const put = await api.put("/v1/account/retention", { rules }, as);
  expect([put.status, await put.json()]).toEqual([200, { rules }]);
  expect(await (await api.get("/v1/account/retention", as)).json()).toEqual({ rules });
  const [later, whole] = [
    await ownRun(platform, owner, data),
    await ownRun(platform, owner, other),
  ];
  await deliverAll();
  const notes = async (id: string) => (await api.run(id)).notes.join("\n");
  for (const id of [before, later]) expect(await notes(id)).toContain("30 days after its end");
  expect(await notes(whole)).toContain("60 days after its end");
  expect(await notes(stranger)).not.toContain("after its end");
  clock.now += 30 * DAY_MS - 1;
  await cleanUp(platform);
  expect((await api.run(before)).answersRemovedAt).toBeNull();
  clock.now += 1;
  await cleanUp(platform);
  for (const id of [before, later]) {
    expect((await api.run(id)).answersRemovedAt).toBe("2026-12-21T00:00:00.000Z");
    expect(await notes(id)).toContain("were deleted on 2026-12-21");
  }
  expect((await api.run(whole)).answersRemovedAt).toBeNull();
  expect((await api.run(stranger)).answersRemovedAt).toBeNull();
  const rescored = await api.post(`/v1/runs/${before}/rescore`, { options: {} }, as);
  expect([rescored.status, (await problemOf(rescored)).detail]).toEqual([
    409,
    expect.stringContaining("were deleted"),
  ]);
  clock.now += 30 * DAY_MS;
  for (let i = 0; i < 3; i++) await cleanUp(platform);
  expect((await api.get(`/v1/runs/${whole}`)).status).toBe(404);
  expect((await api.get(`/v1/runs/${later}`)).status).toBe(200);
  expect(await platform.objects.keys(`runs/${whole}/`)).toEqual([]);
  const twice = { rules: [rules[0], rules[0]] };
  expect((await api.put("/v1/account/retention", twice, as)).status).toBe(422);
  expect(
    (await api.put("/v1/account/retention", { rules: [{ ...rules[0], answerDays: 0 }] }, as))
      .status,
  ).toBe(422);
  const member = { authorization: "Bearer member" };
  expect((await api.put("/v1/account/retention", { rules }, member)).status).toBe(403);
});
