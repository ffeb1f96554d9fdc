import { describe, expect, it } from "vitest";
import type { Platform } from "../../../api/platform/platform.ts";
import { publish } from "../../../api/publication/publish.ts";
import { aDataset } from "../support/a-dataset.ts";
import { latestSnapshot } from "../support/client.ts";
import { harness, relayDataset } from "../support/harness.ts";
import { relaySuite } from "../support/relay-suite.ts";
import { chancy, reruns } from "../support/reruns.ts";

describe("across versions of a dataset, a drift is attributed to", () => {
  it("the dataset if most samples were changed: no drift, and a new reference", async () => {
    const rig = harness();
    const slug = "acme/samples";
    const dataset = await relayDataset(rig.platform, 10);
    const [first] = await reruns(rig, dataset, 1, { slug });
    await otherVersion(rig.platform, dataset, 10, 5);
    const [second, third] = await reruns(rig, dataset, 2, { slug });
    expect(second?.drift).toMatchObject({
      reference: first?.run,
      rerun: 0,
      isFlagged: false,
      attribution: "dataset",
      parts: [
        { cause: "dataset", n: 10, difference: -0.5 },
        { cause: "model", n: 5, difference: 0 },
      ],
    });
    expect(third?.drift).toMatchObject({ reference: second?.run, rerun: 1 });
  });

  it("the model if it fell on unchanged samples", async () => {
    let share = 1;
    const rig = harness({ ask: chancy(() => share) });
    const slug = "acme/both";
    const dataset = await relayDataset(rig.platform, 60);
    const [first] = await reruns(rig, dataset, 2, { slug });
    await otherVersion(rig.platform, dataset, 60, 2);
    share = 0.4;
    const [dropped, after] = await reruns(rig, dataset, 2, { slug });
    const { eValue = 0, againstReference, parts } = dropped?.drift ?? {};
    expect(dropped?.drift).toMatchObject({
      reference: first?.run,
      rerun: 2,
      isFlagged: true,
      attribution: "model",
    });
    expect(eValue).toBeGreaterThanOrEqual(20);
    expect(againstReference?.n).toBe(58);
    expect(againstReference?.difference).toBeLessThan(-0.3);
    expect(parts).toMatchObject([
      { cause: "dataset", n: 60 },
      { cause: "scoring", n: 58, difference: 0 },
      { cause: "model", n: 58, difference: againstReference?.difference },
    ]);
    expect(Math.abs(parts?.[0]?.difference ?? 1)).toBeLessThan(0.05);
    expect(after?.drift).toMatchObject({ reference: null, rerun: 0, isFlagged: false });
  });

  it("several causes if the dataset moved the headline as much as the model did", async () => {
    let share = 1;
    const rig = harness({ ask: chancy(() => share) });
    const slug = "acme/unclear";
    const dataset = await relayDataset(rig.platform, 80);
    await reruns(rig, dataset, 1, { slug });
    await otherVersion(rig.platform, dataset, 80, 40);
    share = 0.6;
    const [dropped] = await reruns(rig, dataset, 1, { slug });
    expect(dropped?.drift).toMatchObject({
      isFlagged: true,
      attribution: "several",
      againstReference: { n: 40 },
    });
  });

  it("the dataset if fewer than twenty samples are unchanged", async () => {
    let share = 1;
    const rig = harness({ ask: chancy(() => share) });
    const slug = "acme/few";
    const dataset = await relayDataset(rig.platform, 24);
    await reruns(rig, dataset, 1, { slug });
    await otherVersion(rig.platform, dataset, 24, 5);
    share = 0;
    const [dropped, next] = await reruns(rig, dataset, 2, { slug });
    expect(dropped?.drift).toMatchObject({
      isFlagged: false,
      attribution: "dataset",
      eValue: 0,
      againstReference: { n: 19, difference: -1 },
    });
    expect(next?.drift.reference).toBe(dropped?.run);
  });

  it("the dataset for the new version only, while the evidence continues", async () => {
    const rig = harness();
    const slug = "acme/goes-on";
    const dataset = await relayDataset(rig.platform, 40);
    const [first] = await reruns(rig, dataset, 2, { slug });
    await otherVersion(rig.platform, dataset, 40, 4);
    const found = await reruns(rig, dataset, 2, { slug });
    expect(found.map(({ drift }) => [drift.reference, drift.rerun, drift.attribution])).toEqual([
      [first?.run, 2, "dataset"],
      [first?.run, 3, null],
    ]);
    // Expected e-values without any change.
    expect(found.map(({ drift }) => drift.eValue.toFixed(3))).toEqual(["0.021", "0.067"]);
    expect(found[1]?.drift.againstPrevious).toMatchObject({ run: found[0]?.run, n: 36 });
    await publish(rig.platform);
    const { datasetChanges = [], drifts } = (await latestSnapshot(rig.platform)) ?? {};
    expect(datasetChanges.filter(({ model }) => model.slug === slug)).toMatchObject([
      {
        run: found[0]?.run,
        reference: first?.run,
        suite: "relay",
        isFlagged: false,
        difference: expect.closeTo(-0.1, 12),
        unchanged: { n: 36, difference: 0 },
      },
    ]);
    expect(drifts?.filter(({ model }) => model.slug === slug)).toEqual([]);
  });
});

/** Another version in another order; no answer matches the last `changed` samples. */
async function otherVersion(
  platform: Platform,
  name: string,
  count: number,
  changed: number,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const expected = i < count - changed ? `AGAIN: WORD ${i}` : "NOTHING";
    return { id: `s${i}`, first: `word ${i}`, expected };
  });
  await aDataset(platform, relaySuite, rows.reverse(), { name });
}
