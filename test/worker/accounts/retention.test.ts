import { expect, it } from "vitest";
import { cleanUp } from "../../../api/runs/clean-up.ts";
import { MOST_RULES } from "../../../shared/contracts/keys/account-data.ts";
import { problemOf, serve } from "../support/client.ts";
import { countedQueries } from "../support/counted-queries.ts";
import { anAccount, harness } from "../support/harness.ts";
import { ownDataset, ownRun } from "../support/owned-things.ts";

const DAY_MS = 86_400_000;

it("PUT /v1/account/retention sets after how many days answers and runs are deleted, by dataset", async () => {
  const started = Date.parse("2026-11-21T00:00:00Z");
  const clock = { now: started };
  const { platform, deliverAll } = harness({ now: () => clock.now });
  const owner = `ada-${crypto.randomUUID().slice(0, 8)}`;
  const api = serve(platform, {
    own: anAccount(owner, { scopes: ["submit", "admin"] }),
    key: anAccount(owner, { person: owner }),
    given: anAccount(owner),
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
  expect([put.status, await put.json()]).toMatchObject([200, { rules }]);
  const [later, whole] = [
    await ownRun(platform, owner, data),
    await ownRun(platform, owner, other),
  ];
  await deliverAll();
  const notes = async (id: string) => (await api.run(id)).notes.join("\n");
  for (const id of [before, later]) expect(await notes(id)).toContain("30 days after its end");
  expect(await notes(whole)).toContain("60 days after its end");
  expect(await notes(stranger)).not.toContain("after its end");
  const plan = async (rules: object[], key = "own") => {
    const bearer = { authorization: `Bearer ${key}` };
    return (await api.put("/v1/account/retention?dryRun=true", { rules }, bearer)).json();
  };
  const iso = (days: number) => new Date(started + days * DAY_MS).toISOString();
  const none = { runs: 1, dueRuns: 0, dueAnswers: 0, nextRunAt: null, nextAnswersAt: null };
  const effects = [
    { dataset: null, ...none, runs: 2, nextAnswersAt: iso(30) },
    { dataset: other, ...none, nextRunAt: iso(60) },
  ];
  for (const key of ["own", "key", "given"])
    expect(await plan(rules, key)).toEqual({ rules, effects });
  clock.now += 30 * DAY_MS - 1;
  expect(await plan([{ dataset: null, answerDays: 29, runDays: 40 }])).toMatchObject({
    effects: [{ runs: 3, dueRuns: 0, dueAnswers: 3, nextRunAt: iso(40), nextAnswersAt: null }],
  });
  expect(await plan([{ dataset: other, answerDays: 20, runDays: 20 }])).toMatchObject({
    effects: [{ runs: 1, dueRuns: 1, dueAnswers: 0, nextRunAt: null, nextAnswersAt: null }],
  });
  expect(await (await api.get("/v1/account/retention", as)).json()).toEqual({ rules, effects });
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
  const { count, stores } = countedQueries();
  const all = Array.from({ length: MOST_RULES }, (_, i) => ({
    owner,
    dataset: `${owner}/${i}`,
    answerDays: i + 1,
    runDays: null,
  }));
  await stores.retentions.replace(owner, all);
  expect(count.queries).toBeLessThan(10);
  const sorted = (dataset: { dataset: string }[]) => dataset.map((one) => one.dataset).sort();
  expect(sorted(await platform.retentions.of(owner))).toEqual(sorted(all));
  const twice = { rules: [rules[0], rules[0]] };
  expect((await api.put("/v1/account/retention", twice, as)).status).toBe(422);
  expect(
    (await api.put("/v1/account/retention", { rules: [{ ...rules[0], answerDays: 0 }] }, as))
      .status,
  ).toBe(422);
  const refusals = [
    ["member", /^only admins of "acme" can set how long .*: ask one/],
    ["key", /^a key of .* can't set how long .*\/account\/, sign in, and do it there$/],
    ["given", /^the operator made this key .*: ask for one with the scope "admin"$/],
  ] as const;
  for (const [key, detail] of refusals) {
    const reply = await api.put(
      "/v1/account/retention",
      { rules },
      { authorization: `Bearer ${key}` },
    );
    expect([reply.status, (await problemOf(reply)).detail]).toEqual([
      403,
      expect.stringMatching(detail),
    ]);
  }
});
