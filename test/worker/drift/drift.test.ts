import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { runCron } from "../../../api/cron.ts";
import { driftStore } from "../../../api/drift/store.ts";
import { watchDrift } from "../../../api/drift/watch-drift.ts";
import type { AskModel } from "../../../api/providers/ask-model.ts";
import { publish } from "../../../api/publication/publish.ts";
import { retryRun } from "../../../api/runs/retry-run.ts";
import { deleteRun } from "../../../api/runs/service.ts";
import type { ModelHistory } from "../../../shared/contracts/drift/drift.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { judgments } from "../../../shared/judges/__fixtures__/judgments.ts";
import { interceptedBindings } from "../../support/worker/intercepted-bindings.ts";
import { latestSnapshot, serve } from "../support/client.ts";
import { covering } from "../support/covering-suite.ts";
import { fakeJudges, judgedHarness, memoryDataset, type Question } from "../support/fake-judges.ts";
import {
  anAccount,
  announced,
  answering,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { chancy, reruns } from "../support/reruns.ts";

describe("a model's re-evaluations", () => {
  it("show the smallest detectable drop, on the run and in the snapshot", async () => {
    const rig = harness({ ask: chancy(() => 0.8) });
    const dataset = await relayDataset(rig.platform, 60);
    const found = await reruns(rig, dataset, 4, { slug: "acme/steady" });
    const { detectable = null } = found.at(-1)?.drift ?? {};
    expect(detectable).toBeGreaterThan(0);
    const api = serve(rig.platform);
    const run = await api.run(found.at(-1)?.run ?? "");
    expect(run.detectableDrop).toBe(detectable);
    expect((await api.run(found[0]?.run ?? "")).detectableDrop).toBeUndefined();
    await publish(rig.platform);
    const { runs } = await latestSnapshot(rig.platform);
    expect(runs.find(({ id }) => id === run.id)?.detectableDrop).toBe(detectable);
  });

  it("flag a drop on the third of ten, attribute it to the model, and announce it once", async () => {
    let share = 0.95;
    const rig = harness({ ask: chancy(() => share) });
    const events = announced(rig.platform);
    const dataset = await relayDataset(rig.platform, 60);
    const found = await reruns(rig, dataset, 11, {
      slug: "acme/dropped",
      before: (rerun) => {
        share = rerun < 3 ? 0.95 : 0.4;
      },
    });
    const flagged = found.map(({ drift }) => drift.isFlagged);
    expect(flagged).toEqual(found.map((_, rerun) => rerun === 3));
    const [first, , , dropped, after] = found;
    expect(first?.drift).toMatchObject({ reference: null, rerun: 0, eValue: 0, parts: [] });
    expect(dropped?.drift).toMatchObject({
      reference: first?.run,
      rerun: 3,
      attribution: "model",
      againstReference: { run: first?.run, n: 60 },
      againstPrevious: { run: found[2]?.run },
    });
    const { eValue = 0, againstReference, parts = [] } = dropped?.drift ?? {};
    expect(eValue).toBeGreaterThanOrEqual(20);
    expect(againstReference?.difference).toBeLessThan(-0.25);
    expect(againstReference?.interval?.[1]).toBeLessThan(-0.1);
    expect(parts).toMatchObject([
      { cause: "scoring", n: 60, difference: 0 },
      { cause: "model", n: 60, difference: againstReference?.difference },
    ]);
    expect(after?.drift).toMatchObject({
      reference: null,
      rerun: 0,
      isFlagged: false,
      againstPrevious: { run: dropped?.run },
    });
    expect(found.at(-1)?.drift).toMatchObject({ reference: after?.run, rerun: 6 });
    await publish(rig.platform);
    expect((await latestSnapshot(rig.platform))?.drifts).toMatchObject([
      { run: dropped?.run, reference: first?.run, attribution: "model", metric: "passed" },
    ]);
    await watchDrift(rig.platform, dropped?.run ?? "");
    const flags = events.filter(({ type }) => type === "drift.flagged");
    expect(new Set(flags.map(({ id }) => id)).size).toBe(1);
    expect(flags[0]?.data).toMatchObject({ run: dropped?.run, n: 60, attribution: "model" });
    const api = serve(rig.platform);
    const reply = await api.get("/v1/models/acme/dropped/history?suite=relay");
    const { histories } = (await reply.json()) as ModelHistory;
    expect(histories.map(({ points }) => points.map(({ run }) => run))).toEqual([
      found.map(({ run }) => run),
    ]);
    expect(histories[0]?.points.map(({ drift }) => drift?.isFlagged)).toEqual(flagged);
    expect((await api.get("/v1/models/acme/none/history")).status).toBe(404);
  });

  it("announce a drop also where the reply to its record was lost", async () => {
    let isWorse = false;
    const ask = answering(() => (isWorse ? { output: "PARDON?" } : {}));
    const rig = harness({ ask });
    const { drifts } = rig.platform;
    const { insert } = drifts;
    drifts.insert = async (record) => {
      await insert(record);
      return insert(record);
    };
    const events = announced(rig.platform);
    const found = await reruns(rig, await relayDataset(rig.platform, 40), 3, {
      before: (rerun) => {
        isWorse = rerun === 2;
      },
    });
    expect(found[2]?.drift.isFlagged).toBe(true);
    expect(events.map(({ type }) => type)).toContain("drift.flagged");
  });

  it("flag a change of the served model, whatever the score, and announce it once", async () => {
    let servedModel = "grok-3";
    const rig = harness({
      ask: answering(({ messages }) => ({
        output: messages.at(-1)?.content.toUpperCase() ?? "",
        servedModel,
      })),
    });
    const events = announced(rig.platform);
    const dataset = await relayDataset(rig.platform, 30);
    const found = await reruns(rig, dataset, 5, {
      slug: "acme/redirected",
      before: (rerun) => {
        servedModel = rerun < 3 ? "grok-3" : "grok-4.3";
      },
    });
    expect(found.map(({ drift }) => drift.isFlagged)).toEqual([false, false, false, true, false]);
    expect(found[3]?.drift).toMatchObject({
      redirect: { before: "grok-3", now: "grok-4.3" },
      attribution: "model",
      againstReference: { run: found[0]?.run, difference: 0 },
    });
    expect(found[4]?.drift).toMatchObject({ reference: null, redirect: null });
    const flagged = events.filter(({ type }) => type === "drift.flagged");
    expect(flagged).toHaveLength(1);
    expect(flagged[0]).toMatchObject({ data: { redirect: { now: "grok-4.3" } } });
  });

  it("of a model with constant answers never flag a drift", async () => {
    const rig = harness();
    const found = await reruns(rig, await relayDataset(rig.platform, 5), 4);
    // Expected e-values without any change.
    const evidence = ["0.000", "0.009", "0.021", "0.067"];
    expect(found.map(({ drift }) => drift.eValue.toFixed(3))).toEqual(evidence);
    expect(found.at(-1)?.drift.againstReference).toMatchObject({ difference: 0, p: 1 });
  });

  it("leave out samples that are not covered in both runs", async () => {
    let isDown = false;
    const error = { class: "server_error", message: "down" } as const;
    const ask = answering(({ messages }) => {
      const isLost = isDown && /word (0|1)$/i.test(messages.at(-1)?.content ?? "");
      return isLost ? { output: null, error } : {};
    });
    const rig = harness({ ask, suites: covering });
    const found = await reruns(rig, await relayDataset(rig.platform, 40), 2, {
      before: (rerun) => {
        isDown = rerun === 1;
      },
    });
    expect(found[1]?.drift.againstReference).toMatchObject({ n: 38, difference: 0 });
    expect(found[1]?.drift.isFlagged).toBe(false);
  });

  it("begin with the first covered run, and ignore uncovered ones", async () => {
    let isDown = false;
    let isWorse = false;
    const error = { class: "server_error", message: "500" } as const;
    const ask = answering(() => {
      if (isDown) return { output: null, error };
      return isWorse ? { output: "PARDON?" } : {};
    });
    const rig = harness({ ask, suites: covering });
    const dataset = await relayDataset(rig.platform, 40);
    const slug = "acme/refused";
    const found = await reruns(rig, dataset, 5, {
      slug,
      before: (rerun) => {
        isDown = rerun === 0 || rerun === 2;
        isWorse = rerun === 4;
      },
    });
    const [lost, first] = found;
    expect(found.map(({ drift }) => drift.isCovered)).toEqual([false, true, false, true, true]);
    expect(found.map(({ drift }) => drift.reference)).toEqual([
      null,
      null,
      null,
      first?.run,
      first?.run,
    ]);
    expect(found.map(({ drift }) => drift.rerun)).toEqual([0, 0, 0, 1, 2]);
    expect(found[2]?.drift).toMatchObject({ againstReference: null, eValue: 0, isFlagged: false });
    expect(found[4]?.drift).toMatchObject({ isFlagged: true, attribution: "model" });
    expect(found[4]?.drift.againstReference).toMatchObject({ n: 40, difference: -1 });
    isDown = false;
    const owner = anAccount("acme");
    expect(await retryRun(rig.platform, owner, lost?.run ?? "", {})).toMatchObject({ ok: true });
    await rig.deliverAll();
    const again = await rig.platform.drifts.get(lost?.run ?? "");
    expect(again).toMatchObject({ position: 5, covered: true, drift: { reference: null } });
    expect(again?.drift.againstPrevious).toMatchObject({ run: found[4]?.run });
    const [next] = await reruns(rig, dataset, 1, { slug });
    expect(next?.drift).toMatchObject({ reference: lost?.run, rerun: 1 });
  });

  it("are kept apart by options and visibility", async () => {
    const rig = harness();
    const dataset = await relayDataset(rig.platform, 3);
    const slug = "acme/apart";
    await reruns(rig, dataset, 1, { slug });
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "Model", slug, endpoint }];
    for (const more of [{ visibility: "unlisted" }, { options: { sample: { n: 2 } } }]) {
      const run = await submitRun(rig.platform, dataset, { models, ...more });
      await rig.deliverAll();
      expect((await rig.platform.drifts.get(run))?.drift.reference).toBeNull();
    }
  });

  it("begin again if the reference was deleted", async () => {
    const rig = harness();
    const slug = "acme/deleted";
    const dataset = await relayDataset(rig.platform, 3);
    const [first] = await reruns(rig, dataset, 2, { slug });
    const owner = anAccount("acme");
    await deleteRun(rig.platform, owner, first?.run ?? "");
    const [third] = await reruns(rig, dataset, 1, { slug });
    expect(third?.drift).toMatchObject({ reference: null, rerun: 0 });
  });

  it("are checked by the cron job if the message was lost, and once if it is delivered twice", async () => {
    let clock = Date.parse("2026-11-21T12:30:00Z");
    const rig = harness({ now: () => clock });
    const dataset = await relayDataset(rig.platform, 3);
    const run = await submitRun(rig.platform, dataset);
    const { finish } = rig.platform.queues;
    rig.platform.queues.finish = async (message) => {
      if (message.kind !== "drift") await finish(message);
    };
    await rig.deliverAll();
    clock += 1_000;
    const later = await submitRun(rig.platform, dataset);
    await rig.deliverAll();
    const period = { after: clock - 2_000, before: clock + 1_000 };
    const found = (latest: number) =>
      rig.platform.drifts.unwatched({ ...period, latest, limit: 9 });
    expect([await found(1), await found(2)]).toEqual([[later], [run, later]]);
    await watchDrift(rig.platform, later);
    expect([await found(1), await found(2)]).toEqual([[], [run]]);
    expect(await rig.platform.drifts.get(run)).toBeNull();
    rig.platform.queues.finish = finish;
    const sentAt = async (time: string) => {
      clock = Date.parse(`2026-11-21T${time}:00Z`);
      await runCron(rig.platform);
      return rig.mail.finish.splice(0).flatMap((sent) => (sent.kind === "drift" ? sent.run : []));
    };
    // Every turn finds messages lost within the hour; the first turn of an hour finds those of the day.
    expect(await sentAt("12:31")).toEqual([run]);
    expect(await sentAt("14:31")).toEqual([]);
    expect(await sentAt("15:00")).toEqual([run]);
    await Promise.all([watchDrift(rig.platform, run), watchDrift(rig.platform, run)]);
    expect((await rig.platform.drifts.get(run))?.position).toBe(0);
  });
});

describe("a drift is attributed to", () => {
  it("the judge if only the judge grades differently", async () => {
    const harsh = { isHarsh: false };
    const judge = ({ metric }: Question) => {
      const own = judgments[metric]?.judgment;
      if (!harsh.isHarsh || metric !== "safety") return null;
      return { output: JSON.stringify({ ...(own as object), safety_score: 0 }) };
    };
    let count = 0;
    // Answers always differ, so no earlier judgment is reused.
    const ask: AskModel = async (target, request, ...rest) => {
      const reply = await upperCasing(target, request, ...rest);
      if (reply.kind !== "answer") return reply;
      const output = `I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest. (${count++})`;
      return { ...reply, answer: { ...reply.answer, output } };
    };
    const rig = judgedHarness(fakeJudges([], judge), { ask });
    rig.platform.settings = { ...rig.platform.settings, driftJudgedSamples: 8 };
    const dataset = await memoryDataset(rig.platform, 16);
    const found = await reruns(rig, dataset, 3, {
      suite: "memory",
      before: (rerun) => {
        harsh.isHarsh = rerun === 2;
      },
    });
    expect(found.map(({ drift }) => drift.isFlagged)).toEqual([false, false, true]);
    const { attribution, parts } = found[2]?.drift ?? {};
    expect(attribution).toBe("judge");
    expect(parts?.map(({ cause, n }) => [cause, n])).toEqual([
      ["scoring", 8],
      ["judge", 8],
      ["model", 8],
    ]);
    const [scoring, judged, model] = parts ?? [];
    expect([scoring?.difference, model?.difference]).toEqual([0, 0]);
    expect(judged?.difference).toBeLessThan(-0.01);
  });

  it("the scoring if the current suite scores the same answers differently", async () => {
    const strict: Suite = {
      ...relaySuite,
      version: "2",
      score: (sample, answer, options) => {
        const score = relaySuite.score(sample as never, answer, options as never);
        return { ...score, score: (score.score ?? 0) / 2 };
      },
    };
    const rig = harness();
    const found = await reruns(rig, await relayDataset(rig.platform, 30), 2, {
      before: (rerun) => {
        if (rerun === 1) rig.platform.suites = { all: [strict], byId: () => strict };
      },
    });
    expect(found[1]?.drift).toMatchObject({
      isFlagged: true,
      attribution: "scoring",
      parts: [
        { cause: "scoring", difference: -0.5 },
        { cause: "model", difference: 0 },
      ],
    });
  });
});

it("a history reads the options of a few runs only, since they may be large", async () => {
  const rig = harness();
  const dataset = await relayDataset(rig.platform, 4);
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const model = { slug: "acme/wordy", name: "M", endpoint };
  const run = await submitRun(rig.platform, dataset, { models: [model] });
  await rig.deliverAll();
  await env.DB.prepare("DELETE FROM drifts WHERE run_id = ?1").bind(run).run();
  const { results } = await env.DB.prepare("PRAGMA table_info(runs)").all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  const copied: Record<string, string> = {
    id: "runs.id || '-' || value",
    options: "iif(?3 = '', runs.options, json_set(runs.options, '$.note', ?3))",
  };
  const copies = (from: number, to: number, note: string) =>
    env.DB.prepare(
      `INSERT INTO runs (${columns}) SELECT ${columns.map((name) => copied[name] ?? `runs.${name}`)}
      FROM runs, json_each(?2) WHERE runs.id = ?1`,
    )
      .bind(run, JSON.stringify(Array.from({ length: to - from }, (_, i) => from + i)), note)
      .run();
  const read = { bytes: 0 };
  const watched = interceptedBindings(env as unknown as { DB: D1Database }, async (_, proceed) => {
    const result = await proceed();
    read.bytes += JSON.stringify(result).length;
    return result;
  });
  const api = serve({ ...rig.platform, drifts: driftStore(watched.DB) });
  const lengths = async () => {
    const reply = await api.get("/v1/models/acme/wordy/history");
    const { histories } = (await reply.json()) as ModelHistory;
    expect(histories.flatMap(({ points }) => points)[0]?.headline?.n).toBe(4);
    return histories.map(({ points }) => points.length);
  };
  await copies(0, 10, "");
  expect(await lengths()).toEqual([11]);
  await copies(10, 55, "x".repeat(250_000));
  const found = await lengths();
  expect(found.reduce((sum, length) => sum + length, 0)).toBe(56);
  expect(read.bytes).toBeLessThan(9_000_000);
});
