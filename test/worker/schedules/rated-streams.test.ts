import { expect, it } from "vitest";
import { addRatings } from "../../../api/ratings/add-ratings.ts";
import { createSchedule } from "../../../api/schedules/service.ts";
import { submissionsOf } from "../../../api/schedules/view.ts";
import { answerHash } from "../../../shared/contracts/judging/rating.ts";
import { newScheduleSchema } from "../../../shared/contracts/schedules/schedule.ts";
import { fakeJudges, judgedHarness, judgedRun, storedAnswers } from "../support/fake-judges.ts";
import { anAccount, harness } from "../support/harness.ts";
import { aSchedule, runDue } from "../support/scheduled.ts";

const acme = anAccount("acme");

/** A run with answers to rate, and functions to rate them and to create a schedule from the ratings. */
async function rated() {
  const clock = { now: Date.parse("2026-11-22T10:00:00Z") };
  const rig = judgedHarness(fakeJudges(), { now: () => clock.now });
  const { platform } = rig;
  const { run, dataset } = await judgedRun(rig, {}, undefined, 8);
  const answers = await storedAnswers(platform, run);
  const rate = async (rater: string, samples: readonly number[], score: number) => {
    const ratings = samples.map((i) => ({
      place: {},
      rating: {
        sampleId: `${dataset}-${i}`,
        answerHash: answerHash(answers[i]!),
        metric: "empathy",
        score,
        rater,
      },
    }));
    expect(await addRatings(platform, acme, run, ratings)).toEqual({
      ok: true,
      value: samples.length,
    });
  };
  const name = `acme/rated-${crypto.randomUUID().slice(0, 8)}`;
  const create = (more: object = {}, account = acme) => {
    const stream = { ratingsOf: dataset, samplesPerVersion: 3, anchor: 0, keepVersions: 3 };
    const wanted = aSchedule(name, { suite: "memory", stream: { ...stream, ...more } });
    return createSchedule(platform, account, newScheduleSchema.parse(wanted));
  };
  const samplesOf = async (version: string) => {
    const { heads } = await platform.datasets.index("memory", version);
    return Promise.all(heads.map((_, at) => platform.datasets.row("memory", version, at)));
  };
  return { ...rig, clock, dataset, name, rate, create, samplesOf };
}

it("a stream of ratings draws rated samples, each once, and repeats the newest version without new ones", async () => {
  const { platform, mail, deliverAll, clock, dataset, name, rate, create, samplesOf } =
    await rated();
  expect(await create()).toMatchObject({
    ok: false,
    error: [
      {
        pointer: "/stream",
        detail: `the ratings of "${dataset}": people have rated no answer of your runs on it yet`,
      },
    ],
  });
  await rate("Ada", [0, 1, 2], 4);
  await rate("Bo", [1], 2);
  const created = await create();
  const id = created.ok ? created.value.id : expect.unreachable(JSON.stringify(created));
  const tick = async () => {
    clock.now = (await platform.schedules.get(id))!.nextAt;
    await runDue({ platform, mail });
    await deliverAll();
  };
  const first = (await platform.datasets.find("memory", name, null))!;
  expect(first).toMatchObject({ samples: 3, malformed: [], stream: { read: 3, drawn: 3 } });
  const rows = (await samplesOf(first.version)) as { id: string; human: object }[];
  const both = rows.find((row) => row.id === `${dataset}-1`);
  expect(both?.human).toEqual({ answerHash: expect.any(String), empathy: [4, 2] });
  await tick();
  await tick();
  await rate("Bo", [2, 5], 5);
  await tick();
  const newest = (await platform.datasets.find("memory", name, null))!;
  expect(await samplesOf(newest.version)).toMatchObject([
    { id: `${dataset}-5`, human: { empathy: [5] } },
  ]);
  const runs = await platform.schedules.runs(submissionsOf(id), 10);
  expect(runs.map((run) => [run.datasetVersion, run.status])).toEqual([
    [newest.version, "finished"],
    [first.version, "finished"],
    [first.version, "finished"],
  ]);
  expect((await platform.schedules.get(id))?.failures).toBe(0);
});

it("a stream of ratings is limited to the account's runs, and to suites with ratings", async () => {
  const { name, dataset, rate, create } = await rated();
  await rate("Ada", [0], 4);
  const other = await create({}, anAccount("beta"));
  expect(JSON.stringify(other)).toContain("people have rated no answer of your runs");
  expect(JSON.stringify(await create({ ratingsOf: name }))).toContain("name another one");
  const relay = aSchedule(name, { stream: { ratingsOf: dataset, samplesPerVersion: 3 } });
  const refused = await createSchedule(harness().platform, acme, newScheduleSchema.parse(relay));
  expect(refused).toMatchObject({
    ok: false,
    error: [
      {
        pointer: "/stream/ratingsOf",
        detail: 'suite "relay" has no metrics that people can rate',
      },
    ],
  });
});

it.each<[stream: object, error: string]>([
  [{}, "give url or ratingsOf"],
  [{ url: "https://logs.example.com/a", ratingsOf: "acme/requests" }, "give url or ratingsOf"],
  [{ ratingsOf: "acme/requests", authorization: "Bearer x" }, "leave authorization and mapping"],
])("a stream of %j is refused", (stream, error) => {
  const wanted = aSchedule("acme/rated", { stream: { samplesPerVersion: 3, ...stream } });
  const read = newScheduleSchema.safeParse(wanted);
  expect(read.error?.message).toContain(error);
});
