import { describe, expect, it } from "vitest";
import { readRehearsal } from "./record.ts";
import { scenes } from "./scenes/all.ts";
import { deployScenes } from "./scenes/deploy.ts";

it("every scene is recorded for the site's pages: npm run rehearse -- --record", () => {
  const names = (of: readonly string[]) => of.toSorted();
  const recorded = readRehearsal().scenes.map(({ scene }) => scene);
  expect(names(recorded)).toEqual(names(scenes.map(({ name }) => name)));
});

describe("the rehearsal of a deployment", { timeout: 480_000 }, () => {
  it.each(deployScenes.filter(({ isQuick }) => isQuick))("$name", async ({ play }) => {
    const { findings } = await play();
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  });
});
