import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import type { Leaderboard } from "../../../shared/contracts/boards/leaderboard.ts";
import { suiteById, suites } from "../../../shared/suites/registry.ts";
import { aFixture, type Fixture, writeFixture } from "../fixtures/fixture.ts";

import { withHostile } from "../fixtures/fixture-hostile.ts";
import { withJudged } from "../fixtures/fixture-judged.ts";
import { aLongFixture } from "../fixtures/fixture-long.ts";
import { withScored } from "../fixtures/fixture-scored.ts";
import { withSweeps } from "../fixtures/fixture-sweeps.ts";
import { buildSite } from "./build-site.ts";

const pollMs = 200;

/** The site with every kind of run, board and sweep and with hostile names, and its fixture; built once for all test files. */
export const usualSite = () =>
  siteOf("usual", () => {
    const [suite, judgedSuite, sweptSuite] = ["extraction", "memory", "quality"].map(suiteById);
    if (!suite || !judgedSuite || !sweptSuite) throw new Error("the fixture needs three suites");
    const scored = withScored(withJudged(aFixture(suite), judgedSuite));
    return withHostile(withSweeps(scored, sweptSuite), suite);
  });

/** A site with a board of each suite, and its fixture. */
export const everySuiteSite = () =>
  siteOf("every-suite", () => {
    const [first, judged] = ["extraction", "memory"].map(suiteById);
    const others = suites.flatMap(({ id }) => (id === first?.id || id === judged?.id ? [] : id));
    return withScored(withJudged(aFixture(first!), judged!), others);
  });

async function siteOf(name: string, make: () => Fixture) {
  await emptySite();
  const dir = await once(name, async (made) => {
    const fixture = make();
    await writeFixture(join(made, "snapshot"), fixture);
    await writeFile(join(made, "fixture.json"), JSON.stringify(fixture));
    await buildSite(join(made, "dist"), join(made, "snapshot"));
  });
  const fixture = JSON.parse(await readFile(join(dir, "fixture.json"), "utf8")) as Fixture;
  return { dist: join(dir, "dist"), fixture };
}

/** The site of one board with many models, and the board. */
export async function longSite(models: number): Promise<{ dist: string; board: Leaderboard }> {
  const fixture = aLongFixture(suiteById("extraction")!, models);
  const [board] = fixture.snapshot.boards as [Leaderboard];
  await emptySite();
  const dir = await once("long", async (made) => {
    await writeFixture(join(made, "snapshot"), fixture);
    await buildSite(join(made, "dist"), join(made, "snapshot"));
  });
  return { dist: join(dir, "dist"), board };
}

/** The site without results. It is built first, so that all other builds reuse its bundle. */
export const emptySite = (): Promise<string> => once("empty", (dir) => buildSite(dir));

/** The folder that `make` fills: the first caller runs it, all others wait for it. */
async function once(name: string, make: (dir: string) => Promise<void>): Promise<string> {
  const dir = join(inject("sitesFolder"), name);
  const [done, failed] = [`${dir}.done`, `${dir}.failed`];
  const isFirst = await mkdir(dir).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    try {
      await make(dir);
      await writeFile(done, "");
    } catch (error) {
      await writeFile(failed, String(error));
      throw error;
    }
  }
  while (!(await isThere(done))) {
    if (await isThere(failed)) throw new Error(await readFile(failed, "utf8"));
    await sleep(pollMs);
  }
  return dir;
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
