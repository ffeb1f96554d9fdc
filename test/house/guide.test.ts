import { expect, it } from "vitest";
import { exempt, guideCommands, guideFlags } from "../rehearsal/guide.ts";
import { steps } from "../rehearsal/scenes/guide.ts";

const played = Object.values(steps).flatMap((its) => Object.entries(its));
const words = played.map(([command, { flags = "" }]) => `${command} ${flags} --yes `);

it("every command of the deployment guides is rehearsed or exempt for a reason", () => {
  const commands = guideCommands();
  expect(commands.length).toBeGreaterThan(30);
  const unplayed = commands.filter(
    ({ command }) => !(command in exempt) && !played.some(([one]) => one === command),
  );
  expect(unplayed).toEqual([]);
});

it("every flag of the deployment guides is rehearsed or exempt for a reason", () => {
  const unplayed = guideFlags().filter(
    (flag) => !(flag in exempt) && !words.some((its) => its.includes(`${flag} `)),
  );
  expect(unplayed).toEqual([]);
});

it("every rehearsed or exempt command is in the guides", () => {
  const commands = guideCommands();
  const stale = Object.entries(steps).flatMap(([section, its]) =>
    Object.keys(its).filter(
      (command) => !commands.some((one) => one.section === section && one.command === command),
    ),
  );
  const known = new Set([...commands.map(({ command }) => command), ...guideFlags()]);
  expect([...stale, ...Object.keys(exempt).filter((one) => !known.has(one))]).toEqual([]);
});
