import { describe, expect, it } from "vitest";
import { deployScenes } from "./scenes/deploy.ts";

describe("the rehearsal of a deployment", { timeout: 480_000 }, () => {
  it.each(deployScenes.filter(({ isQuick }) => isQuick))("$name", async ({ play }) => {
    const { findings } = await play();
    expect(findings.length).toBeGreaterThan(3);
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
  });
});
