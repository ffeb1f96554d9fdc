import { LIVE } from "../platform/sql.ts";
import type { RepublicationStore } from "./republication-ports.ts";

/**
 * Boards of deleted datasets stay as they are. A correction makes a board due from when it was stored, another version of the suite from ever on. What was
 * tried since with this version of the suite is done, whatever came of it. ?1: the suites' versions.
 */
const DUE = `
  WITH current AS (SELECT value ->> 'id' AS suite, value ->> 'version' AS version FROM json_each(?1))
  SELECT b.id FROM boards b JOIN current c ON c.suite = b.suite
  LEFT JOIN datasets d ON d.suite = b.suite AND d.name = b.dataset_name
    AND d.corrects ->> 'version' = b.dataset_version
  WHERE b.superseded_by IS NULL AND b.entries <> '[]'
    AND EXISTS (SELECT 1 FROM datasets own WHERE own.suite = b.suite AND own.name = b.dataset_name
      AND own.version = b.dataset_version)
    AND (d.version IS NOT NULL OR (b.judging IS NULL AND b.suite_version <> c.version))
    AND NOT EXISTS (SELECT 1 FROM republications r WHERE r.from_board = b.id
      AND r.to_suite_version = c.version AND r.started_at >= coalesce(d.created_at, 0))`;

/** What is submitted after a correction comes to no board of before; one that is paused may stay so for ever. */
const NOTHING_UNDER_WAY = `
  AND NOT EXISTS (SELECT 1 FROM republications r WHERE r.from_board = b.id AND r.finished_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM runs WHERE counted_on = b.id AND deleted_at IS NULL
    AND status IN ${LIVE} AND status <> 'paused' AND created_at > ?2)
  LIMIT ?3`;

/** Two boards that differ in dataset version or scoring alone. */
const OF_ONE_CONFIGURATION = `
  b.id <> ?2 AND b.suite = ?3 AND b.dataset_name = ?4 AND b.prompt_hash = ?5
  AND b.structured_output = ?6 AND b.repeats = ?7`;

/** What is being scored for another board may have to be scored for this one next, as after two corrections. */
const ON_ITS_WAY = `
  SELECT b.id FROM republications r JOIN boards b ON b.id = r.to_board
  WHERE r.finished_at IS NULL AND r.from_board <> ?2 AND ${OF_ONE_CONFIGURATION}`;

const versionsText = (suites: readonly { id: string; version: string }[]): string =>
  JSON.stringify(suites.map(({ id, version }) => ({ id, version })));

/** Which boards are to be re-published. */
export function dueRepublications(d1: D1Database): Pick<RepublicationStore, "due" | "isAwaited"> {
  return {
    async due(suites, since, limit) {
      const found = await d1
        .prepare(DUE + NOTHING_UNDER_WAY)
        .bind(versionsText(suites), since, limit)
        .all<{ id: string }>();
      return found.results.map(({ id }) => id);
    },

    async isAwaited({ id, suite, datasetName, ...how }, suites) {
      const { promptHash, structuredOutput, repeats } = how;
      const found = await d1
        .prepare(`${DUE} AND ${OF_ONE_CONFIGURATION} UNION ALL ${ON_ITS_WAY} LIMIT 1`)
        .bind(versionsText(suites), id, suite, datasetName, promptHash, structuredOutput, repeats)
        .all();
      return found.results.length > 0;
    },
  };
}
