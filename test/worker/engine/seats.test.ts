import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { isToYield, startLanes } from "../../../api/engine/seat-lanes.ts";
import type { LaneMessage } from "../../../api/platform/messages.ts";
import { submit } from "../../../api/submissions/service.ts";
import { submissionRequestSchema } from "../../../shared/contracts/submissions/submission.ts";
import { answering, deliver, harness, relayDataset, wish } from "../support/harness.ts";

afterEach(() =>
  env.DB.batch([
    env.DB.prepare("UPDATE runs SET status = 'cancelled'"),
    env.DB.prepare("DELETE FROM leases"),
  ]),
);

/** A service with `lanesMax` concurrent lanes and `cap` concurrent requests per endpoint; its clock is `time`. */
function service(lanesMax: number, cap = 1_000) {
  const time = { now: Date.now() };
  const ask = answering(() => {
    time.now += 1;
    return {};
  });
  const rig = harness({ now: () => time.now, ask });
  const { platform, mail } = rig;
  platform.settings = { ...platform.settings, lanesMax, endpointConcurrencyMax: cap };
  const names = new Map<string, string>();
  /** Submits a run of an account under a name. */
  const run = async (
    name: string,
    owner: string,
    { samples = 20, concurrency = 20, host = "one" } = {},
  ) => {
    const endpoint = { baseUrl: `http://${host}.test/v1`, model: "m" };
    const models = [{ name, slug: `${owner}/${name}-${crypto.randomUUID()}`, endpoint }];
    const dataset = await relayDataset(platform, samples);
    const request = { suite: "relay", dataset, models, options: { concurrency } };
    const submitter = { owner, anyOwner: true, quota: null };
    const created = await submit(platform, submissionRequestSchema.parse(request), submitter);
    if (!created.ok) throw new Error(JSON.stringify(created.error));
    const id = (await platform.runs.submission(created.value))?.runs[0]?.id ?? "";
    names.set(id, name);
    time.now += 1;
    return id;
  };
  const labels = (messages: readonly LaneMessage[]) =>
    messages.map(({ run: id, lane }) => `${names.get(id)} ${lane}`);
  /** Lanes that got a seat since the last call. */
  const seated = () => labels(mail.evaluate.splice(0));
  /** Takes a lane as a consumer would. */
  const take = (id: string, lane: number, place = lane) =>
    platform.runs.takeLease({ ...wish(id, time.now, time.now + 30_000), lane, place });
  return { ...rig, time, run, seated, take };
}

/** Ends a lane that has done nothing, so it can start again at once. */
async function leave(
  { take, time: { now } }: ReturnType<typeof service>,
  id: string,
  lane: number,
) {
  const taking = await take(id, lane);
  if (taking.kind !== "taken") throw new Error(`lane ${lane} is ${taking.kind}`);
  await env.DB.prepare("UPDATE leases SET slots = 0, expires_at = ? WHERE run_id = ? AND lane = ?")
    .bind(now, id, lane)
    .run();
}

it("lanes beyond the maximum wait, and the oldest run of the account gets the next seat", async () => {
  const all = service(3);
  const first = await all.run("first", "a", { concurrency: 10, samples: 10 });
  await all.run("second", "a", { concurrency: 10, samples: 10 });
  await all.run("third", "a", { concurrency: 5, samples: 5 });
  expect(all.seated()).toEqual(["first 0", "first 1", "second 0"]);
  await startLanes(all.platform, "answering");
  expect(all.seated()).toEqual([]);
  await leave(all, first, 1);
  await all.platform.runs.cancel(first, all.time.now);
  await startLanes(all.platform, "answering");
  expect(all.seated()).toEqual(["second 1", "third 0"]);
});

it("accounts take turns, whatever an earlier account submitted", async () => {
  const all = service(4);
  const large = await all.run("large", "a", { samples: 100 });
  expect(all.seated()).toEqual(["large 0", "large 1", "large 2", "large 3"]);
  await all.run("other", "b");
  await all.run("later", "c");
  for (const lane of [0, 1]) await leave(all, large, lane);
  await startLanes(all.platform, "answering");
  expect(all.seated()).toEqual(["other 0", "later 0"]);
});

it("among accounts without a seat, the one whose last run started earliest is next", async () => {
  const all = service(1);
  const few = { samples: 5, concurrency: 5 };
  const order: string[] = [];
  const ids = new Map<string, string>();
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) {
    ids.set(name, await all.run(name, name[0]!, few));
  }
  for (let next = all.seated(); next.length > 0; next = all.seated()) {
    const [name = ""] = next[0]!.split(" ");
    order.push(name);
    all.time.now += 1;
    await leave(all, ids.get(name)!, 0);
    await all.platform.runs.cancel(ids.get(name)!, all.time.now);
    await startLanes(all.platform, "answering");
  }
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("the cap of an endpoint is used fully, and lanes of other endpoints overtake lanes that wait for it", async () => {
  const all = service(100, 23);
  await all.run("first", "a", { concurrency: 10 });
  await all.run("second", "b", { concurrency: 20 });
  await all.run("third", "c");
  await all.run("elsewhere", "d", { host: "two" });
  const names = all.seated().map((label) => label.split(" ")[0]);
  expect(names.filter((name) => name === "elsewhere")).toHaveLength(4);
  const { results } = await env.DB.prepare(
    "SELECT l.slots FROM leases l JOIN runs r ON r.id = l.run_id WHERE r.status = 'queued' AND r.endpoint_origin LIKE '%one%'",
  ).all<{ slots: number }>();
  expect(results.map(({ slots }) => slots).toSorted()).toEqual([3, 5, 5, 5, 5]);
});

it("a run gets no more lanes than its remaining units need", async () => {
  const all = service(100);
  const id = await all.run("run", "a", { samples: 60, concurrency: 60 });
  expect(all.seated()).toHaveLength(12);
  await env.DB.prepare("DELETE FROM leases WHERE run_id = ?").bind(id).run();
  await env.DB.prepare("UPDATE runs SET cursor = 53 WHERE id = ?").bind(id).run();
  await startLanes(all.platform, "answering");
  expect(all.seated()).toEqual(["run 0", "run 1"]);
});

it("a seat is given once, repeated after a lost reply, and given again after it has expired", async () => {
  const all = service(100);
  await all.run("run", "a", { samples: 10, concurrency: 5 });
  expect(all.seated()).toEqual(["run 0"]);
  await startLanes(all.platform, "answering");
  expect(all.seated()).toEqual([]);
  all.time.now += 30_000;
  const limits = { phase: "answering" as const, now: all.time.now, lanesMax: 9, endpointCap: 9 };
  const give = () => all.platform.runs.giveSeats(limits, "seat_mine", all.time.now + 30_000);
  const seats = await give();
  expect(seats).toHaveLength(1);
  expect(await give()).toEqual(seats);
  const taking = await all.platform.runs.takeLease({
    ...wish(seats[0]!.run, all.time.now, all.time.now + 30_000),
    claim: 5,
  });
  expect(taking).toMatchObject({ kind: "taken", attempt: 1, crashes: 0, units: [0, 1, 2, 3, 4] });
});

it("a lane yields if another has waited a second for its consumer, or its own run has ended", async () => {
  const all = service(100);
  all.platform.queues.count = async () => 3;
  const run = await all.run("run", "a");
  const other = await all.run("other", "a", { concurrency: 5 });
  await all.take(other, 0, 4);
  const look = () => isToYield(all.platform, "answering", { run: other, lane: 0 });
  expect(await look()).toBe(false);
  all.time.now += 1_000;
  // With three queues, place 4 has the same queue as place 1, which waits for a consumer.
  expect(await look()).toBe(true);
  await all.take(run, 1);
  expect(await look()).toBe(false);
  await all.platform.runs.cancel(other, all.time.now);
  expect(await look()).toBe(true);
});

it("a lane gets the lowest free place, and so the queue of a lane that has ended", async () => {
  const all = service(6);
  const places = () => all.mail.evaluate.splice(0).map(({ place }) => place);
  const first = await all.run("first", "a");
  const second = await all.run("second", "b");
  await all.run("later", "c");
  expect(places()).toEqual([0, 1, 2, 3, 4, 5]);
  await leave(all, second, 0);
  await leave(all, first, 1);
  await startLanes(all.platform, "answering");
  expect(places().toSorted()).toEqual([1, 4]);
});

it("a lane of a cancelled run keeps its place until its last request has ended", async () => {
  const all = service(100);
  const places = () => all.mail.evaluate.splice(0).map(({ place }) => place);
  const run = await all.run("cancelled", "a", { concurrency: 10 });
  for (const lane of [0, 1]) await all.take(run, lane);
  await all.platform.runs.cancel(run, all.time.now);
  await all.run("again", "a", { concurrency: 10 });
  expect(places()).toEqual([0, 1, 2, 3]);
});

it("a lane takes the place that its message names", async () => {
  const all = service(100);
  all.platform.queues.count = async () => 12;
  const run = await all.run("run", "a", { concurrency: 5 });
  await all.platform.runs.takeLease({
    ...wish(run, all.time.now, all.time.now + 30_000),
    place: 1,
  });
  await all.run("first", "b", { concurrency: 5 });
  await all.run("second", "b", { concurrency: 5 });
  expect(all.mail.evaluate.splice(0).map(({ place }) => place)).toEqual([0, 0, 2]);
});

it("an account yields as many lanes as other accounts wait for, youngest first", async () => {
  const all = service(4);
  const run = await all.run("large", "a", { samples: 100 });
  await all.run("other", "b", { concurrency: 5 });
  for (const lane of [0, 1, 2, 3]) await all.take(run, lane);
  const yields = () =>
    Promise.all([0, 1, 2, 3].map((lane) => isToYield(all.platform, "answering", { run, lane })));
  expect(await yields()).toEqual([false, false, false, true]);
  await all.run("later", "c", { concurrency: 5 });
  expect(await yields()).toEqual([false, false, true, true]);
  // The account yields no lanes to accounts that have as many seats.
  for (const name of ["d", "e", "f"]) await all.run(name, name);
  expect(await yields()).toEqual([true, true, true, true]);
});

it("lanes that wait for an endpoint make only lanes at the same endpoint yield", async () => {
  const all = service(100, 10);
  const [one, two] = [
    await all.run("one", "a", { concurrency: 10 }),
    await all.run("two", "a", { concurrency: 10, host: "two" }),
  ];
  for (const run of [one, two]) for (const lane of [0, 1]) await all.take(run, lane);
  await all.run("other", "b", { concurrency: 5 });
  const look = (run: string, lane: number) => isToYield(all.platform, "answering", { run, lane });
  expect(await look(two, 1)).toBe(false);
  expect([await look(one, 0), await look(one, 1)]).toEqual([false, true]);
});

it("many submissions of several accounts end with few messages, and the cap is used throughout", async () => {
  const all = service(8, 40);
  const runs: string[] = [];
  for (let i = 0; i < 30; i++) {
    runs.push(await all.run(`run${i}`, `owner${i % 6}`, { samples: 60, concurrency: 30 }));
  }
  let messages = 0;
  const busy: number[] = [];
  for (;;) {
    const { results } = await env.DB.prepare(
      "SELECT sum(l.slots) AS slots, (SELECT sum(units - cursor) FROM runs WHERE status IN ('queued', 'running')) AS waiting FROM leases l JOIN runs r ON r.id = l.run_id WHERE r.status IN ('queued', 'running') AND l.expires_at > ?",
    )
      .bind(all.time.now)
      .all<{ slots: number; waiting: number }>();
    if (results[0] && results[0].waiting > 300) busy.push(results[0].slots);
    const message = all.mail.evaluate.shift();
    if (message === undefined) break;
    messages += 1;
    await deliver(all.platform, "evaluate", message);
  }
  await all.deliverAll();
  const states = await Promise.all(runs.map((id) => all.platform.runs.get(id)));
  expect(states.map((run) => [run?.status, run?.done])).toEqual(runs.map(() => ["finished", 60]));
  expect(messages / (60 * runs.length)).toBeLessThanOrEqual(0.05);
  expect(Math.min(...busy)).toBeGreaterThanOrEqual(0.95 * 40);
});
