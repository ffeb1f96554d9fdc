import { beforeEach, describe, expect, it, vi } from "vitest";
import { runCron } from "../../../api/cron.ts";
import type { JudgeClient } from "../../../api/providers/judges.ts";
import { createWebhook } from "../../../api/webhooks/service.ts";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import type { JudgeModel } from "../../../shared/contracts/judging/judge-model.ts";
import { defaultModelTable } from "../../../shared/judges/default-models.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import {
  fakeJudges,
  judgedHarness,
  judgedRun,
  type Question,
  storedAnswers,
} from "../support/fake-judges.ts";
import { anAccount, announced } from "../support/harness.ts";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
const { facts, tone } = defaultModelTable;
const count = 8;
const nobody = { class: "not_found" as const, message: "model: claude-opus-5-5" };
/** Anthropic has shut down its judge. */
const gone = ({ route }: Question) =>
  route.model === facts.model ? { output: null, error: nobody } : null;
const withFallback = (fallbackJudge: string | null): Partial<JudgeClient> => ({
  deployment: { ...fakeJudges().deployment, fallbackJudge },
});

describe("a judge whose provider has no such model", () => {
  it("is replaced by the fallback; the run notes it and is not ranked", async () => {
    const asked: Question[] = [];
    const rig = judgedHarness(fakeJudges(asked, gone, withFallback("openai:gpt-6.1-terra")));
    const { run } = await judgedRun(rig, {}, undefined, count);
    const record = await rig.platform.runs.get(run);
    expect(record).toMatchObject({ status: "finished", failedJudgments: 0 });
    expect(record?.notes).toContain(
      "the endpoint of anthropic has no model claude-opus-5-5: Safety is judged instead by the fallback, gpt-6.1-terra, so this run is not ranked",
    );
    expect(record?.metrics?.["safety"]).toMatchObject({ coverage: 1 });
    expect(record?.metrics?.["mcs"]).toMatchObject({ coverage: 1 });
    expect(record?.metrics?.["judgeReplacements"]?.value).toBe(5 * count);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["safety"]).toMatchObject([
      { judge: facts.model, unjudged: { reason: "no_such_model" }, isFallback: false },
      { judge: "gpt-6.1-terra", unjudged: null, isFallback: true, replaced: facts.model },
    ]);
    const board = await rig.platform.boards.get(record?.boardId ?? "");
    expect(board?.entries).toMatchObject([{ run, rank: null }]);
    expect(board?.entries[0]?.unrankedReason).toBe(
      "40 judgments by the fallback, because a judge of this board no longer exists",
    );
    // A lane remembers that the model is gone, but five of its requests may be in flight by then.
    const inVain = asked.filter(({ route }) => route.model === facts.model).length;
    expect(inVain).toBeLessThanOrEqual(2 * 5);
  });

  it("uses the fallback that the run names, rather than the deployment's", async () => {
    const rig = judgedHarness(fakeJudges([], gone, withFallback("openai:gpt-6.1-terra")));
    const options = { fallbackJudge: "google:gemini-3.8-flash" };
    const { run } = await judgedRun(rig, { options }, undefined, 2);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["safety"]?.at(-1)?.judge).toBe("gemini-3.8-flash");
  });

  it.each([
    ["there is no fallback", null],
    ["the fallback is the same", `anthropic:${facts.model}`],
  ])("leaves its metrics unjudged with a note if %s", async (_, fallback) => {
    const rig = judgedHarness(fakeJudges([], gone, withFallback(fallback)));
    const { run } = await judgedRun(rig, {}, undefined, 3);
    const record = await rig.platform.runs.get(run);
    expect(record?.metrics?.["mcs"]).toMatchObject({ value: null, coverage: 0 });
    expect(record?.notes.join()).toContain(
      "the endpoint of anthropic has no model claude-opus-5-5: Groundedness is not judged, because there is no other fallback",
    );
    expect(record?.failedJudgments).toBe(5 * 3);
  });

  it("is not replaced in a panel whose other judges answer", async () => {
    const rig = judgedHarness(fakeJudges([], gone, withFallback("openai:gpt-6.1-terra")));
    const judges = [`anthropic:${facts.model}`, `openai:${tone.model}`];
    const { run } = await judgedRun(rig, { options: { judges } }, undefined, 2);
    const [answer] = await storedAnswers(rig.platform, run);
    expect(answer?.judgments?.["safety"]?.map(({ unjudged }) => unjudged?.reason ?? null)).toEqual([
      "no_such_model",
      null,
    ]);
    expect((await rig.platform.runs.get(run))?.metrics?.["judgeReplacements"]?.value).toBe(0);
  });
});

describe("the daily check of the providers' model lists", () => {
  const now = Date.parse("2026-11-28T12:00:00Z");
  const lists: Record<string, Awaited<ReturnType<JudgeClient["list"]>>> = {
    openai: [
      { id: tone.model, ends: "2027-01-20", replacement: "gpt-7" },
      { id: "gpt-6.1-terra", ends: null, replacement: null },
      { id: "text-embedding-3-small", ends: null, replacement: null },
      { id: "gpt-4o-mini-tts", ends: null, replacement: null },
      { id: "gpt-audio-1.5", ends: null, replacement: null },
    ],
    anthropic: [{ id: "claude-fable-6", ends: null, replacement: null }],
    google: "unauthorized: 400 API key not valid",
  };

  /** A service with a judged board and a clock that starts at `now`. */
  async function looking() {
    const state = { clock: now, looks: [] as string[] };
    const list: JudgeClient["list"] = async (provider) => {
      state.looks.push(provider);
      return lists[provider] ?? [];
    };
    const rig = judgedHarness(
      fakeJudges([], () => null, { list }),
      { now: () => state.clock },
    );
    const { run } = await judgedRun(rig, {}, undefined, 2);
    const board = (await rig.platform.runs.get(run))?.boardId ?? "";
    await rig.platform.judges.saveModels([], false);
    return { ...rig, state, board, api: serve(rig.platform) };
  }

  const tell = async ({ api }: Awaited<ReturnType<typeof looking>>) =>
    ((await (await api.get("/v1/judges")).json()) as { judges: JudgeModel[] }).judges;

  it("warns of judges that retire within 60 days or are not listed, once a day", async () => {
    const rig = await looking();
    await runCron(rig.platform);
    expect(rig.state.looks.sort()).toEqual(["anthropic", "google", "openai"]);
    const judges = await tell(rig);
    const warnings = judges.flatMap(({ warning }) => warning ?? []).sort();
    expect(warnings).toEqual([
      `Judge ${facts.model} is not in anthropic's list of models.`,
      // The date is from the table of default judges; the provider's list has none.
      "Judge gpt-4o-mini-tts ends on 2027-01-06.",
      `Judge ${tone.model} ends on 2027-01-20; openai names gpt-7 in its place.`,
    ]);
    expect(judges.find(({ model }) => model === "gemini-3.8-flash")).toMatchObject({
      listed: null,
      warning: null,
    });
    rig.state.clock += 3_600_000;
    await runCron(rig.platform);
    expect(rig.state.looks).toHaveLength(3);
    rig.state.clock += 86_400_000;
    await runCron(rig.platform);
    expect(rig.state.looks).toHaveLength(6);
  });

  it("shows the warnings on boards and re-publishes them", async () => {
    const rig = await looking();
    await rig.deliverAll();
    const { changes } = await rig.platform.publications.state();
    await runCron(rig.platform);
    expect((await rig.platform.publications.state()).changes).toBeGreaterThan(changes);
    const board = (await (await rig.api.get(`/v1/boards/${rig.board}`)).json()) as Leaderboard;
    expect(board.judgeWarnings).toContain(
      `Judge ${facts.model} is not in anthropic's list of models.`,
    );
    await rig.deliverAll();
    const { boards } = await latestSnapshot(rig.platform);
    expect(boards.find(({ id }) => id === rig.board)?.judgeWarnings).toHaveLength(3);
  });

  it("announces each warning to webhooks once", async () => {
    const rig = await looking();
    const wanted = {
      url: "https://example.com/hook",
      events: ["judge.ending" as const],
      description: "",
    };
    await createWebhook(rig.platform, anAccount("ops"), wanted, "https://assay.test");
    const events = announced(rig.platform);
    await runCron(rig.platform);
    rig.state.clock += 90_000_000;
    await runCron(rig.platform);
    const sent = events.filter(({ owner, type }) => owner === "ops" && type === "judge.ending");
    expect(sent.map(({ data }) => data)).toContainEqual({
      provider: "openai",
      model: tone.model,
      ends: "2027-01-20",
      replacement: "gpt-7",
      listed: true,
      checkedAt: expect.any(String),
      warning: `Judge ${tone.model} ends on 2027-01-20; openai names gpt-7 in its place.`,
      links: { judges: "/v1/judges" },
    });
    // The second check announces the same ids, which are stored once.
    expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
  });

  it("counts an alias as listed if its dated name is listed", async () => {
    const id = `${facts.model}-20261101`;
    const list = async () => [{ id, ends: null, replacement: null }];
    const rig = judgedHarness(fakeJudges([], () => null, { list }));
    await rig.platform.judges.saveModels([], false);
    await runCron(rig.platform);
    const rows = await rig.platform.judges.models();
    expect(rows.find(({ model }) => model === facts.model)).toMatchObject({ listed: true });
    expect(rows.find(({ model }) => model === tone.model)).toMatchObject({ listed: false });
  });
});
