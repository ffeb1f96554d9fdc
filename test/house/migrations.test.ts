import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../cli/local/root.ts";

const folder = join(root, "migrations");
const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));

const statementsIn = (sql: string): string[] =>
  sql
    .replaceAll(/--[^\n]*/g, "")
    .split(";")
    .map((one) => one.replaceAll(/\s+/g, " ").trim())
    .filter((one) => one !== "");

/**
 * Why the previous release cannot run after a statement; null if it can. Migrations run before the Worker is deployed
 * and stay when it is rolled back, so a migration may only add tables, indexes and optional columns for one release.
 */
function breaks(statement: string, made: ReadonlySet<string>): string | null {
  const table = /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?(\w+)/i.exec(statement)?.[1];
  if (table !== undefined) return null;
  const index = /^CREATE (UNIQUE )?INDEX .*? ON [`"]?(\w+)/i.exec(statement);
  if (index !== null) {
    const isStrict = index[1] !== undefined && !made.has(index[2] ?? "");
    return isStrict ? "refuses rows that the release before may write" : null;
  }
  const column = /^ALTER TABLE [`"]?\w+[`"]? ADD (?:COLUMN )?(.*)$/i.exec(statement)?.[1];
  if (column !== undefined) {
    const isNeeded = /NOT NULL/i.test(column) && !/DEFAULT/i.test(column);
    return isNeeded || /CHECK|REFERENCES|UNIQUE/i.test(column)
      ? "refuses rows that the release before may write"
      : null;
  }
  if (/^(UPDATE|INSERT) /i.test(statement)) return null;
  return "takes away what the release before may use";
}

const faultsOf = (sql: string): string[] => {
  const statements = statementsIn(sql);
  const made = new Set(
    statements.flatMap(
      (one) => /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?(\w+)/i.exec(one)?.[1] ?? [],
    ),
  );
  return statements.flatMap((one) => {
    const why = breaks(one, made);
    return why === null ? [] : [`${why}: ${one}`];
  });
};

describe("migrations only add for one release", () => {
  it.each(files)("%s", (file) => {
    expect(faultsOf(readFileSync(join(folder, file), "utf8"))).toEqual([]);
  });

  it.each([
    "DROP TABLE runs",
    "ALTER TABLE `runs` DROP COLUMN `notes`",
    "ALTER TABLE `runs` RENAME COLUMN `notes` TO `remarks`",
    "ALTER TABLE `runs` RENAME TO `all_runs`",
    "ALTER TABLE `runs` ADD `must` text NOT NULL",
    "ALTER TABLE `runs` ADD `of` text REFERENCES submissions(id)",
    "CREATE UNIQUE INDEX `once` ON `runs` (`model_slug`)",
    "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END",
    "DELETE FROM runs",
    "DROP INDEX runs_by_status",
  ])("refuses: %s", (sql) => {
    expect(faultsOf(sql)).not.toEqual([]);
  });

  it.each([
    "CREATE TABLE `a` (`id` text NOT NULL); CREATE UNIQUE INDEX `a_once` ON `a` (`id`)",
    "ALTER TABLE `runs` ADD `may` text",
    "ALTER TABLE `runs` ADD `count` integer DEFAULT 0 NOT NULL",
    "CREATE INDEX `runs_by_may` ON `runs` (`may`)",
  ])("accept: %s", (sql) => {
    expect(faultsOf(sql)).toEqual([]);
  });
});
