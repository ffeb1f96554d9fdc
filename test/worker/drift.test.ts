import { describe, expect, it } from "vitest";
import { watchDrift } from "../../api/pipeline/drift/watch-drift.ts";
import { sweep } from "../../api/pipeline/lanes/sweep.ts";
import type { AskModel, Ports } from "../../api/pipeline/ports.ts";
import { latestSnapshot, publish } from "../../api/pipeline/publish.ts";
import { deleteRun } from "../../api/pipeline/runs/withdraw-run.ts";
import { registerDataset } from "../../api/pipeline/submissions/register-dataset.ts";
import type { Drift, ModelHistory } from "../../shared/contracts/drift.ts";
import type { Suite } from "../../shared/contracts/suite.ts";
import { judgments } from "../../shared/judges/__fixtures__/judgments.ts";
import { xoshiro128 } from "../../shared/stats/xoshiro128.ts";
import { serve } from "./client.ts";
import { fakeJudges, judgedHarness, memoryDataset, type Question } from "./fake-judges.ts";
import {
  anAccount,
  announced,
  answering,
  harness,
  relayDataset,
  submitRun,
  upperCasing,
} from "./harness.ts";
import { relaySuite } from "./relay-suite.ts";

/** A model that passes this share of what it is asked on, chosen anew in each run. */
function chancy(share: () => number): AskModel {
  const source = xoshiro128("chance");
  return answering(({ messages }) => {
    const said = messages.at(-1)?.content.toUpperCase() ?? "";
    return { output: source() / 2 ** 32 < Math.sqrt(share()) ? said : "PARDON?" };
  });
}

type Harness = ReturnType<typeof harness>;

/** Runs of one model on a dataset, each carried to its end: what was found of each. */
async function reruns(
  { ports, deliverAll }: Harness,
  dataset: string,
  count: number,
  more: { suite?: string; slug?: string; before?: (rerun: number) => void } = {},
): Promise<{ run: string; drift: Drift }[]> {
  const { suite = "relay", slug = `acme/${crypto.randomUUID().slice(0, 8)}` } = more;
  const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
  const found: { run: string; drift: Drift }[] = [];
  for (let i = 0; i < count; i++) {
    more.before?.(i);
    const models = [{ name: "Model", slug, endpoint }];
    const run = await submitRun(ports, dataset, { suite, models, options: { concurrency: 50 } });
    await deliverAll();
    const record = await ports.drifts.get(run);
    found.push({ run, drift: record?.drift ?? expect.unreachable("nobody looked at it") });
  }
  return found;
}

describe("a model's re-evaluations", () => {
  it("flag a drop on the third of ten, put it to the model, and tell of it once", async () => {
    let share = 0.95;
    const its = harness({ ask: chancy(() => share) });
    const events = announced(its.ports);
    const dataset = await relayDataset(its.ports, 60);
    const found = await reruns(its, dataset, 11, {
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
      ...{ reference: first?.run, rerun: 3, attribution: "model" },
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
      ...{ reference: null, rerun: 0, isFlagged: false },
      againstPrevious: { run: dropped?.run },
    });
    expect(found.at(-1)?.drift).toMatchObject({ reference: after?.run, rerun: 6 });
    await publish(its.ports);
    expect((await latestSnapshot(its.ports))?.drifts).toMatchObject([
      { run: dropped?.run, reference: first?.run, attribution: "model", metric: "passed" },
    ]);
    await watchDrift(its.ports, dropped?.run ?? "");
    const flags = events.filter(({ type }) => type === "drift.flagged");
    expect(new Set(flags.map(({ id }) => id)).size).toBe(1);
    expect(flags[0]?.data).toMatchObject({ run: dropped?.run, n: 60, attribution: "model" });
    const api = serve(its.ports);
    const reply = await api.get("/v1/models/acme/dropped/history?suite=relay");
    const { histories } = (await reply.json()) as ModelHistory;
    expect(histories.map(({ points }) => points.map(({ run }) => run))).toEqual([
      found.map(({ run }) => run),
    ]);
    expect(histories[0]?.points.map(({ drift }) => drift?.isFlagged)).toEqual(flagged);
    expect((await api.get("/v1/models/acme/none/history")).status).toBe(404);
  });

  it("of a model that always says the same say nothing, at any number", async () => {
    const its = harness();
    const found = await reruns(its, await relayDataset(its.ports, 5), 4);
    expect(found.map(({ drift }) => drift.eValue)).toEqual([0, 0.5, 2 / 3, 0.75]);
    expect(found.at(-1)?.drift.againstReference).toMatchObject({ difference: 0, p: 1 });
  });

  it("leave out samples that one of them does not cover", async () => {
    let isDown = false;
    const error = { class: "server_error", message: "down" } as const;
    const ask = answering(({ messages }) => {
      const isLost = isDown && /word (0|1|2)$/i.test(messages.at(-1)?.content ?? "");
      return isLost ? { output: null, error } : {};
    });
    const its = harness({ ask });
    const found = await reruns(its, await relayDataset(its.ports, 40), 2, {
      before: (rerun) => {
        isDown = rerun === 1;
      },
    });
    expect(found[1]?.drift.againstReference).toMatchObject({ n: 37, difference: 0 });
    expect(found[1]?.drift.isFlagged).toBe(false);
  });

  it("are kept apart by what was asked, by who may see them, and by model", async () => {
    const its = harness();
    const dataset = await relayDataset(its.ports, 3);
    const slug = "acme/apart";
    await reruns(its, dataset, 1, { slug });
    const endpoint = { baseUrl: "http://127.0.0.1:8790/v1", model: "m" };
    const models = [{ name: "Model", slug, endpoint }];
    for (const more of [{ visibility: "unlisted" }, { options: { sample: { n: 2 } } }]) {
      const run = await submitRun(its.ports, dataset, { models, ...more });
      await its.deliverAll();
      expect((await its.ports.drifts.get(run))?.drift.reference).toBeNull();
    }
  });

  it("begin anew where the reference was deleted", async () => {
    const its = harness();
    const slug = "acme/deleted";
    const dataset = await relayDataset(its.ports, 3);
    const [first] = await reruns(its, dataset, 2, { slug });
    const owner = anAccount("acme");
    await deleteRun(its.ports, owner, first?.run ?? "");
    const [third] = await reruns(its, dataset, 1, { slug });
    expect(third?.drift).toMatchObject({ reference: null, rerun: 0 });
  });

  it("are looked at by the sweep where the message was lost, and where it comes twice once", async () => {
    const its = harness();
    const dataset = await relayDataset(its.ports, 3);
    const run = await submitRun(its.ports, dataset);
    const { finish } = its.ports.queues;
    its.ports.queues.finish = async (message) => {
      if (message.kind !== "drift") await finish(message);
    };
    await its.deliverAll();
    expect(await its.ports.drifts.get(run)).toBeNull();
    its.ports.queues.finish = finish;
    const later = { ...its.ports, now: () => Date.now() + 60_000 };
    await sweep(later);
    const sent = its.mail.finish.filter(({ kind }) => kind === "drift");
    expect(sent).toEqual([{ v: 1, kind: "drift", run }]);
    await Promise.all([watchDrift(its.ports, run), watchDrift(its.ports, run)]);
    expect((await its.ports.drifts.get(run))?.position).toBe(0);
  });
});

describe("a drift is put to", () => {
  it("the judge, where it is the judge that grades otherwise", async () => {
    const harsh = { isHarsh: false };
    const judge = ({ metric }: Question) => {
      const own = judgments[metric]?.judgment;
      if (!harsh.isHarsh || metric !== "safety") return null;
      return { output: JSON.stringify({ ...(own as object), safety_score: 0 }) };
    };
    let told = 0;
    // Never twice the same, so that no judgment of before is taken for it.
    const ask: AskModel = async (target, request, ...rest) => {
      const reply = await upperCasing(target, request, ...rest);
      if (reply.kind !== "answer") return reply;
      const output = `I'm glad that it feels better. Start with a short walk, and rest if it hurts. You should never rest. (${told++})`;
      return { ...reply, answer: { ...reply.answer, output } };
    };
    const its = judgedHarness(fakeJudges([], judge), { ask });
    its.ports.settings = { ...its.ports.settings, driftJudgedSamples: 8 };
    const dataset = await memoryDataset(its.ports, 16);
    const found = await reruns(its, dataset, 3, {
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

  it("the scoring, where the suite of today scores the same answers otherwise", async () => {
    const strict: Suite = {
      ...relaySuite,
      version: "2",
      score: (sample, answer, options) => {
        const score = relaySuite.score(sample as never, answer, options as never);
        return { ...score, score: (score.score ?? 0) / 2 };
      },
    };
    const its = harness();
    const found = await reruns(its, await relayDataset(its.ports, 30), 2, {
      before: (rerun) => {
        if (rerun === 1) its.ports.suites = { all: [strict], byId: () => strict };
      },
    });
    expect(found[1]?.drift).toMatchObject({
      ...{ isFlagged: true, attribution: "scoring" },
      parts: [
        { cause: "scoring", difference: -0.5 },
        { cause: "model", difference: 0 },
      ],
    });
  });

  it("the dataset, where samples were changed: no drift of the model, and a new reference", async () => {
    const its = harness();
    const slug = "acme/samples";
    const dataset = await relayDataset(its.ports, 10);
    const [first] = await reruns(its, dataset, 1, { slug });
    await replaceHalf(its.ports, dataset);
    const [second, third] = await reruns(its, dataset, 2, { slug });
    expect(second?.drift).toMatchObject({
      ...{ reference: first?.run, rerun: 0, isFlagged: false, attribution: "dataset" },
      parts: [
        { cause: "dataset", n: 10, difference: -0.5 },
        { cause: "model", n: 5, difference: 0 },
      ],
    });
    expect(third?.drift).toMatchObject({ reference: second?.run, rerun: 1 });
  });
});

/** Another version of a dataset, of whose ten samples half expect what nobody says. */
async function replaceHalf(ports: Ports, name: string): Promise<void> {
  const rows = Array.from({ length: 10 }, (_, i) => {
    const expected = i < 5 ? `AGAIN: WORD ${i}` : "NOTHING";
    return JSON.stringify({ id: `s${i}`, first: `word ${i}`, expected });
  });
  const registered = await registerDataset(ports, {
    ...{ suite: relaySuite, name, visibility: "public", owner: "local", anyOwner: false },
    file: new TextEncoder().encode(rows.join("\n")),
    allowPartial: false,
  });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
}
