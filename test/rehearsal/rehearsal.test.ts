import { describe, expect, it } from "vitest";
import { readRehearsal } from "./record.ts";
import { scenes } from "./scenes/all.ts";
import { deployScenes } from "./scenes/deploy.ts";

it("every scene is recorded for the site's pages, and no other: npm run rehearse -- --record", () => {
  const recorded = readRehearsal().scenes.map(({ scene }) => scene);
  expect(recorded.toSorted()).toEqual(scenes.map(({ name }) => name).toSorted());
});

describe("the rehearsal of a deployment", { timeout: 480_000 }, () => {
  it.each(deployScenes.filter(({ isQuick }) => isQuick))("$name", async ({ play }) => {
    const { findings } = await play();
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  });
});
