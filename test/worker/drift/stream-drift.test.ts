import { expect, it } from "vitest";
import { addStreamVersion } from "../../../api/datasets/stream.ts";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import type { DatasetTimeline } from "../../../shared/contracts/drift/drift.ts";
import { latestSnapshot } from "../support/client.ts";
import { announced, answering, harness } from "../support/harness.ts";
import { hosted } from "../support/hosted.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { reruns } from "../support/reruns.ts";

/** A version with the rows of one day; the model is right on every `right`th. */
async function version(
  platform: Platform,
  name: string,
  day: number,
  { right = 1, count = 100 } = {},
) {
  const rows = Array.from({ length: count }, (_, i) => {
    const expected = i % right === 0 ? `AGAIN: WORD ${day} ${i}` : "NOTHING";
    return JSON.stringify({ id: `d${day}-${i}`, first: `word ${day} ${i}`, expected });
  });
  const added = await addStreamVersion(platform, {
    suite: relaySuite,
    name,
    visibility: "public",
    owner: "acme",
    anyOwner: false,
    draw: { samplesPerVersion: 60, anchor: 40, keepVersions: 30 },
    mapping: null,
    file: new TextEncoder().encode(rows.join("\n")),
    source: null,
  });
  if (!added.ok) throw new Error(JSON.stringify(added.error));
}

/** A stream on which one model is evaluated daily. */
function aStream(
  rig: ReturnType<typeof harness>,
  slug = `acme/${crypto.randomUUID().slice(0, 8)}`,
) {
  const name = `${slug}-stream`;
  return {
    name,
    slug,
    day: async (day: number, rows: { right?: number; count?: number } = {}) => {
      await version(rig.platform, name, day, rows);
      const [found] = await reruns(rig, name, 1, { slug });
      return found!;
    },
  };
}

it("a change of traffic is detected on fresh samples while the anchor is unchanged, and is announced", async () => {
  const rig = hosted();
  const events = announced(rig.platform);
  const stream = aStream(rig);
  const days: Awaited<ReturnType<typeof stream.day>>[] = [];
  for (let day = 0; day < 4; day++) days.push(await stream.day(day));
  const changed = await stream.day(4, { right: 3 });
  const after = await stream.day(5, { right: 3 });
  const [first] = days;
  expect(days.map(({ drift }) => drift.traffic?.difference)).toEqual([null, 0, 0, 0]);
  expect(changed.drift).toMatchObject({
    reference: first?.run,
    rerun: 4,
    isFlagged: false,
    attribution: "dataset",
    againstReference: { n: 40, difference: 0 },
    traffic: { n: 60, isFlagged: true, cause: "dataset" },
  });
  expect(changed.drift.traffic?.difference).toBeLessThan(-0.5);
  expect(changed.drift.traffic?.eValue).toBeGreaterThanOrEqual(20);
  // The anchor keeps its reference; the evidence on traffic begins again.
  expect(after.drift).toMatchObject({
    reference: first?.run,
    rerun: 5,
    traffic: { runs: [after.run], difference: null, isFlagged: false },
  });
  expect(events.filter(({ type }) => type === "drift.flagged")).toMatchObject([
    { data: { run: changed.run, attribution: "dataset", n: 60 } },
  ]);
  await publish(rig.platform);
  const { datasetChanges, drifts } = await latestSnapshot(rig.platform);
  expect(datasetChanges.filter(({ model }) => model.slug === stream.slug)).toMatchObject([
    { run: changed.run, unchanged: { n: 40, difference: 0 }, isFlagged: false },
  ]);
  expect(drifts.filter(({ model }) => model.slug === stream.slug)).toEqual([]);
  const path = `/v1/dataset-timeline?suite=relay&dataset=${stream.name}`;
  const timeline = (await (await rig.call(null, "GET", path)).json()) as DatasetTimeline;
  expect(timeline.versions.map((row) => row.stream?.drawn)).toEqual([100, 60, 60, 60, 60, 60]);
  expect(timeline.histories).toMatchObject([{ model: stream.slug, metric: "passed" }]);
  const points = timeline.histories[0]?.points ?? [];
  expect(points.map(({ datasetVersion }) => datasetVersion)).toEqual(
    timeline.versions.map((one) => one.version),
  );
  expect(points[4]?.headline).toMatchObject({ n: 100, value: expect.closeTo(0.6, 0) });
});

it("a drop of the model is detected on the anchor, and not attributed to traffic", async () => {
  let isBroken = false;
  const ask = answering(({ messages }) =>
    isBroken && /[13579]$/.test(messages.at(-1)?.content ?? "") ? { output: "PARDON?" } : {},
  );
  const rig = harness({ ask });
  const stream = aStream(rig);
  for (let day = 0; day < 4; day++) await stream.day(day);
  isBroken = true;
  const dropped = await stream.day(4);
  const after = await stream.day(5);
  expect(dropped.drift).toMatchObject({
    rerun: 4,
    isFlagged: true,
    attribution: "model",
    againstReference: { n: 40 },
    traffic: { isFlagged: true, cause: "model" },
  });
  expect(after.drift).toMatchObject({
    reference: null,
    isFlagged: false,
    traffic: { runs: [after.run], isFlagged: false },
  });
});

it("a second evaluation of a version adds no evidence on traffic", async () => {
  const rig = harness();
  const stream = aStream(rig);
  await stream.day(0);
  const second = await stream.day(1);
  const [again] = await reruns(rig, stream.name, 1, { slug: stream.slug });
  expect(again?.drift.traffic).toEqual(second.drift.traffic);
  expect(again?.drift).toMatchObject({ reference: second.drift.reference, rerun: 2 });
});

it("the timeline of an unlisted stream is visible only to its owner", async () => {
  const rig = hosted();
  const name = `acme/hidden-${crypto.randomUUID().slice(0, 8)}`;
  const rows = Array.from({ length: 30 }, (_, i) =>
    JSON.stringify({ id: `s${i}`, first: `${name} ${i}`, expected: "X" }),
  );
  const add = (as: string, anchor = 20) =>
    rig.call(
      as,
      "POST",
      `/v1/dataset-stream?suite=relay&name=${name}&samplesPerVersion=5&anchor=${anchor}`,
      rows.join("\n"),
    );
  expect((await add("other")).status).toBe(422);
  const made = await add("acme");
  expect(made.status).toBe(201);
  expect(await made.json()).toMatchObject({
    samples: 25,
    visibility: "unlisted",
    stream: { read: 30, drawn: 25, anchor: 20, keepVersions: 30 },
  });
  const again = await add("acme");
  expect(again.status).toBe(409);
  expect(await again.text()).toContain("nothing is new");
  const path = `/v1/dataset-timeline?suite=relay&dataset=${name}`;
  expect((await rig.call(null, "GET", path)).status).toBe(404);
  expect((await rig.call("other", "GET", path)).status).toBe(404);
  expect(await (await rig.call("acme", "GET", path)).json()).toMatchObject({
    versions: [{ samples: 25 }],
    histories: [],
  });
  expect((await add("acme", 7)).status).toBe(422);
  await rig.call("acme", "DELETE", `/v1/datasets/relay/${name}`);
  expect((await add("acme")).status).toBe(201);
});
