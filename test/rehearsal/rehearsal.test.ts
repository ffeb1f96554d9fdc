import { describe, expect, it } from "vitest";
import { cpuSeconds } from "./cpu-seconds.ts";
import { type Form, MOST_MINUTES, readRehearsal } from "./record.ts";
import { scenes } from "./scenes/all.ts";
import { deployScenes } from "./scenes/deploy.ts";

it("rehearsal.json records exactly the existing scenes; update it with npm run rehearse -- --record", () => {
  const recorded = readRehearsal().scenes.map(({ scene }) => scene);
  expect(recorded.toSorted()).toEqual(scenes.map(({ name }) => name).toSorted());
});

it("the last recorded runs, complete and --quick, took at most their maximum time", () => {
  const late = Object.entries(readRehearsal().minutes ?? {}).filter(
    ([form, minutes]) => minutes > MOST_MINUTES[form as Form],
  );
  expect(late).toEqual([]);
});

describe("the rehearsal of a deployment", { timeout: 480_000 }, () => {
  const begun = cpuSeconds();
  it.each(deployScenes.filter(({ isQuick }) => isQuick))("$name", async ({ play }) => {
    const { findings } = await play();
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  });

  it("takes at most the CPU time of one core in the maximum time of --quick", () => {
    expect(cpuSeconds() - begun).toBeLessThanOrEqual(60 * MOST_MINUTES.quick);
  });
});
