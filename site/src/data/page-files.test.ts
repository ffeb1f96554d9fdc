import { expect, it } from "vitest";
import { firstOf, roomFor } from "./page-files.ts";
import { readSettings } from "./settings.ts";

const runs = ["newest", "newer", "ranked", "old"].map((id) => ({ id }));
const first = (count: number) =>
  firstOf(runs, new Set(["ranked", "unlisted"]), count, ({ id }) => id).map(({ id }) => id);

it("firstOf() takes items on boards first, then the newest, up to the limit", () => {
  expect(first(2)).toEqual(["ranked", "newest"]);
  expect(first(9)).toEqual(["ranked", "newest", "newer", "old"]);
  expect(first(0)).toEqual([]);
});

it("roomFor() is the number of files that boards and datasets leave, and throws if they need too many", () => {
  const room = (others: number) => roomFor(others, { usual: 700, most: 900 });
  expect([room(0), room(100), room(200), room(400)]).toEqual([200, 100, 0, 0]);
  expect(() => room(401)).toThrow(/need 901 files, and the site may have 900: .*dataset delete/);
});

it("readSettings() limits the number of files to that of the plan", () => {
  const files = (env: Record<string, string>) => readSettings(env).files;
  expect(files({})).toEqual({ usual: 20_000, most: 100_000 });
  const [ASSAY_SITE_FILES, ASSAY_SITE_FILES_MAX] = ["30000", "20000"];
  expect(files({ ASSAY_SITE_FILES, ASSAY_SITE_FILES_MAX })).toEqual({
    usual: 20_000,
    most: 20_000,
  });
  expect(() => files({ ASSAY_SITE_FILES: "many" })).toThrow(/^ASSAY_SITE_FILES must be a whole/);
});
