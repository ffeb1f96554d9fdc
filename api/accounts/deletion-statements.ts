import { LIVE } from "../platform/sql.ts";
import { COUNT_RUNS, SITE_CHANGED } from "../publication/store.ts";

const OWN_KEYS = "(SELECT id FROM api_keys WHERE owner = ?1)";
const OWN_SCHEDULES = "(SELECT id FROM schedules WHERE owner = ?1)";
const OWN_WEBHOOKS = "(SELECT id FROM webhooks WHERE owner = ?1)";
const OWN_PARITIES = "(SELECT name FROM parities WHERE owner = ?1)";

/** SQL for the day of ?3. */
const TODAY = "date(?3 / 1000, 'unixepoch')";

/** Counts changed parities for the next snapshot. */
const COUNT_PARITIES = (names: string) => `
  INSERT INTO snapshot_changes (kind, id) SELECT 'parities', name FROM (${names}) WHERE true
  ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`;

/**
 * Removes the account's credentials and other data of its own, except runs and datasets. ?1: owner, ?2: replacement
 * name, ?3: now. Rows that name the account as a member of an organisation or parity of others get the replacement
 * name.
 */
export const CREDENTIALS: readonly string[] = [
  `UPDATE deletions SET
      used = json_object('day', ${TODAY},
        'samples', coalesce((SELECT used FROM usage WHERE key = 'account:' || ?1 AND day = ${TODAY}), 0),
        'usd', coalesce((SELECT sum(usd) FROM judge_spend WHERE owner = ?1 AND day = ${TODAY}), 0)),
      banned = (SELECT iif(instr(reason, ?1) > 0, 'an earlier account of the person was banned', reason)
        FROM bans WHERE owner = ?1)
    WHERE owner = ?1 AND identity IS NOT NULL AND EXISTS (SELECT 1 FROM accounts WHERE owner = ?1)`,
  `DELETE FROM usage WHERE key IN ('account:' || ?1, 'judges:' || ?1) OR key IN ${OWN_KEYS}`,
  "DELETE FROM api_keys WHERE owner = ?1",
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?3), name = ?2, created_by = ?2
    WHERE created_by = ?1`,
  "DELETE FROM sessions WHERE owner = ?1",
  "DELETE FROM devices WHERE owner = ?1 OR person = ?1",
  "DELETE FROM members WHERE owner = ?1 OR person = ?1",
  "UPDATE members SET added_by = ?2 WHERE added_by = ?1",
  "DELETE FROM invitations WHERE owner = ?1 OR created_by = ?1 OR person = ?1",
  `DELETE FROM schedule_events WHERE schedule_id IN ${OWN_SCHEDULES}`,
  "DELETE FROM schedules WHERE owner = ?1",
  "UPDATE schedules SET person = ?2 WHERE person = ?1",
  `DELETE FROM webhook_deliveries WHERE webhook_id IN ${OWN_WEBHOOKS}`,
  "DELETE FROM webhook_events WHERE owner = ?1",
  "DELETE FROM webhooks WHERE owner = ?1",
  "DELETE FROM runner_requests WHERE owner = ?1",
  "DELETE FROM runners WHERE owner = ?1",
  "DELETE FROM idempotency_keys WHERE owner = ?1",
  // An organisation's spending of today counts for its creator.
  `INSERT INTO judge_spend SELECT s.day, a.created_by, s.judge, s.requests, s.input_tokens, s.output_tokens, s.usd,
      s.unpriced FROM judge_spend s JOIN accounts a ON a.owner = s.owner
    WHERE s.owner = ?1 AND s.day = ${TODAY} AND a.quotas IS NULL AND a.created_by <> ?1
    ON CONFLICT (day, owner, judge) DO UPDATE SET requests = requests + excluded.requests,
      input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens, usd = usd + excluded.usd,
      unpriced = unpriced + excluded.unpriced`,
  "DELETE FROM judge_spend WHERE owner = ?1",
  "DELETE FROM bans WHERE owner = ?1",
  "DELETE FROM retentions WHERE owner = ?1",
  "DELETE FROM domains WHERE owner = ?1",
  "UPDATE domains SET claimed_by = ?2 WHERE claimed_by = ?1",
  "DELETE FROM reader_reports WHERE account = ?1 OR reporter = 'account:' || ?1",
  COUNT_PARITIES(`SELECT parity AS name FROM parity_runs
    WHERE parity IN ${OWN_PARITIES} OR added_by = ?1 OR removed_by = ?1`),
  `DELETE FROM parity_runs WHERE parity IN ${OWN_PARITIES}`,
  "DELETE FROM parities WHERE owner = ?1",
  // Runs that the account added are its own, so their ids and labels are replaced.
  `UPDATE parity_runs SET
      run_id = iif(added_by = ?1, 'run_deleted' || lower(hex(randomblob(8))), run_id),
      label = iif(added_by = ?1, 'deleted', label), added_by = iif(added_by = ?1, ?2, added_by),
      removed_by = iif(removed_by = ?1, ?2, removed_by)
    WHERE added_by = ?1 OR removed_by = ?1`,
  "DELETE FROM planned_tests WHERE owner = ?1",
  `UPDATE audit_log SET target = 'deleted', reason = NULL, before = NULL, after = NULL
    WHERE target IN (SELECT id FROM shares WHERE owner = ?1 AND run_id = '')`,
  "DELETE FROM shares WHERE owner = ?1 AND run_id = ''",
  `UPDATE shares SET revoked_at = coalesce(revoked_at, ?3), note = NULL, created_by = ?2
    WHERE created_by = ?1`,
  // The oldest admin pays for organisations that the person created.
  `UPDATE accounts SET created_by = coalesce((SELECT person FROM members m
      WHERE m.owner = accounts.owner AND m.role = 'admin' ORDER BY m.added_at, m.person LIMIT 1), ?2)
    WHERE created_by = ?1`,
  "DELETE FROM accounts WHERE owner = ?1",
];

const THESE = "(SELECT value FROM json_each(?1))";
const ALIAS = (id: string) => `(SELECT value FROM json_each(?3) WHERE key = ${id})`;

/** Makes the account's runs invisible, and marks boards and snapshot as outdated. ?1: ids of the runs, ?2: now. */
export const WITHDRAW: readonly string[] = [
  `UPDATE runs SET deleted_at = ?2, sealed_secrets = NULL, finished_at = coalesce(finished_at, ?2),
    status = CASE WHEN status IN ${LIVE} THEN 'cancelled' ELSE status END
    WHERE id IN ${THESE} AND deleted_at IS NULL RETURNING id, board_id AS boardId, visibility`,
  SITE_CHANGED,
  COUNT_RUNS("SELECT value FROM json_each(?1)"),
  `UPDATE boards SET updated_at = min(updated_at, ended - 1), withdrawn_at = ?2
    FROM (SELECT coalesce(counted_on, board_id) AS board, min(finished_at) AS ended FROM runs
      WHERE id IN ${THESE} AND visibility <> 'private' GROUP BY board) AS its
    WHERE boards.id = its.board`,
];

/** Replaces mentions of the runs in rows of others. ?3: the replacement id of each run, by id; ?4: owner. */
export const RUN_MENTIONS: readonly string[] = [
  // "0" follows "/".
  `UPDATE audit_log SET target = 'deleted', reason = NULL, before = NULL, after = NULL
    WHERE (at, id) IN (SELECT a.at, a.id FROM json_each(?1) AS its JOIN audit_log a
        ON a.target >= '/v1/runs/' || its.value AND a.target < '/v1/runs/' || its.value || '0')
      OR target IN ${THESE} OR target IN (SELECT id FROM shares WHERE run_id IN ${THESE})`,
  `DELETE FROM shares WHERE run_id IN ${THESE}`,
  `DELETE FROM drifts WHERE run_id IN ${THESE}`,
  COUNT_PARITIES(`SELECT parity AS name FROM parity_runs WHERE run_id IN ${THESE}
    UNION SELECT name FROM parities WHERE reference_id IN ${THESE}`),
  `DELETE FROM parity_runs WHERE parity IN (SELECT name FROM parities WHERE reference_id IN ${THESE})`,
  `DELETE FROM parities WHERE reference_id IN ${THESE}`,
  `UPDATE parity_runs SET run_id = ${ALIAS("run_id")}, label = 'deleted' WHERE run_id IN ${THESE}`,
  COUNT_RUNS(`SELECT id FROM runs WHERE options ->> '$.plannedTest.against' IS NOT NULL
    AND options ->> '$.plannedTest.against' IN ${THESE}`),
  `UPDATE planned_tests SET against = ${ALIAS("against")} WHERE against IN ${THESE}`,
  `UPDATE runs SET options = json_set(options, '$.plannedTest.against',
      ${ALIAS("options ->> '$.plannedTest.against'")})
    WHERE options ->> '$.plannedTest.against' IS NOT NULL
      AND options ->> '$.plannedTest.against' IN ${THESE} AND owner <> ?4`,
  `UPDATE bridges SET picked = (SELECT coalesce(json_group_object(key, json(value)), '{}')
      FROM json_each(picked) WHERE key NOT IN ${THESE})
    WHERE EXISTS (SELECT 1 FROM json_each(picked) WHERE key IN ${THESE})`,
];

/**
 * Renames the dataset in a run of another account. ?1: id of the run, ?2: the new name, ?3: who may read its samples;
 * null: unchanged.
 */
export const RENAME_FOREIGN: readonly string[] = [
  `UPDATE submissions SET dataset_name = ?2
    WHERE id = (SELECT submission_id FROM runs WHERE id = ?1)`,
  "UPDATE runs SET dataset_name = ?2, samples_owner = coalesce(?3, samples_owner) WHERE id = ?1",
];

/**
 * Keeps a dataset under another name. ?1: suite, ?2: name, ?3: version, ?4: the new name, ?5: the new owner, ?6: owner.
 */
export const KEEP_DATASET = `INSERT OR IGNORE INTO datasets
    (suite, name, version, owner, samples, malformed, warnings, visibility, license, source, corrects,
      likely_clusters, mapping, stream, created_at, bytes)
  SELECT suite, ?4, version, ?5, samples, malformed, warnings, visibility, license,
    iif(instr(source, ?6) > 0, NULL, source), corrects, likely_clusters, mapping, stream, created_at, bytes
  FROM datasets WHERE suite = ?1 AND name = ?2 AND version = ?3`;
const IS_KEPT = "EXISTS (SELECT 1 FROM datasets WHERE suite = ?1 AND name = ?4)";

/** Replaces other mentions of a dataset. ?1: suite, ?2: name, ?3: version, ?4: the new name, ?5: now. */
export const DATASET_MENTIONS: readonly string[] = [
  `INSERT INTO snapshot_changes (kind, id)
    SELECT 'boards', id FROM boards WHERE suite = ?1 AND dataset_name = ?2 AND dataset_version = ?3
    ON CONFLICT (kind, id) DO UPDATE SET changes = changes + 1`,
  `UPDATE boards SET dataset_name = ?4, hidden_samples = iif(${IS_KEPT}, hidden_samples, 1), withdrawn_at = ?5
    WHERE suite = ?1 AND dataset_name = ?2 AND dataset_version = ?3`,
  `UPDATE republications SET dataset_name = ?4, reason = iif(${IS_KEPT}, reason, 'deleted')
    WHERE suite = ?1 AND dataset_name = ?2 AND (from_dataset = ?3 OR to_dataset = ?3)`,
  `UPDATE schedules SET status = iif(${IS_KEPT}, status, 'paused'),
      status_reason = iif(${IS_KEPT}, status_reason, 'its dataset was deleted'),
      request = json_set(request, '$.dataset', ?4 || substr(request ->> '$.dataset', length(?2) + 1))
    WHERE request ->> '$.suite' = ?1
      AND (request ->> '$.dataset' = ?2 OR substr(request ->> '$.dataset', 1, length(?2) + 1) = ?2 || '@')`,
  `UPDATE shares SET opens = json_set(opens, '$.board.dataset', ?4 || substr(opens ->> '$.board.dataset', length(?2) + 1))
    WHERE opens ->> '$.board.suite' = ?1 AND (opens ->> '$.board.dataset' = ?2
      OR substr(opens ->> '$.board.dataset', 1, length(?2) + 1) = ?2 || '@')`,
  `UPDATE webhook_events SET data = json_set(data, '$.dataset.name', ?4)
    WHERE data ->> '$.dataset.name' = ?2 AND data ->> '$.suite' = ?1`,
];

/** SQL: the model's slug belongs to the owner ("0" follows "/" in ASCII). */
const OWN_SLUG = "model_slug >= ?1 || '/' AND model_slug < ?1 || '0'";
const IS_OWN = "substr(value ->> '$.model.slug', 1, length(?1) + 1) = ?1 || '/'";

/**
 * SQL: a text with the owner's name replaced, also where it is the prefix of a model or dataset; other texts are
 * unchanged.
 */
const OTHER = (text: string) => `CASE WHEN ${text} = ?1 THEN ?2
  WHEN substr(${text}, 1, length(?1) + 1) = ?1 || '/' THEN ?2 || substr(${text}, length(?1) + 1) ELSE ${text} END`;

/** SQL: whether a free text contains the name as a word. A pattern with the name could be too long for D1. */
const NAMED_IN = (text: string) =>
  `length(?1) > 2 AND ' ' || replace(lower(${text}), lower(?1), char(1)) || ' ' GLOB '*[^a-z0-9._-]' || char(1) || '[^a-z0-9_-]*'`;
const UNLESS_NAMED = (text: string) => `iif(${NAMED_IN(text)}, NULL, ${text})`;

/** SQL: the state in an audit log entry with the name replaced in every member that contains names. */
const RENAMED = (column: string) => `json_replace(${column},
  ${["owner", "person", "createdBy", "model", "dataset", "parity"].map((name) => `'$.${name}', ${OTHER(`${column} ->> '$.${name}'`)}`)},
  '$.name', iif(${column} ->> '$.owner' = ?1, NULL, ${column} ->> '$.name'),
  '$.banned', ${UNLESS_NAMED(`${column} ->> '$.banned'`)},
  '$.hidden', ${UNLESS_NAMED(`${column} ->> '$.hidden'`)},
  '$.rules', (SELECT json_group_array(json_replace(value, '$.dataset', ${OTHER("value ->> '$.dataset'")}))
    FROM json_each(${column}, '$.rules')))`;

/** Paths that contain the name of an account. */
const PLACES = ["operator/bans", "operator/accounts", "models", "parities", "organisations"].map(
  (path) => `/v1/${path}/`,
);
const AT_PLACE = (place: string) =>
  `WHEN substr(target || '/', 1, length('${place}' || ?1) + 1) = '${place}' || ?1 || '/'
    THEN '${place}' || ?2 || substr(target, length('${place}' || ?1) + 1)`;
/** Actions whose target is an account. */
const OF_ACCOUNTS =
  "substr(action, 1, instr(action, '.') - 1) IN ('account', 'organisation', 'member', 'retention')";
/** SQL: entries about the account itself. */
const IS_ITS = `(target = ?1 AND ${OF_ACCOUNTS} OR substr(target, 1, 11) = '/v1/account'
  OR coalesce(before ->> '$.owner' = ?1, 0) OR coalesce(after ->> '$.owner' = ?1, 0))`;

/** Replaces the name on boards, in counts and elsewhere. ?1: owner, ?2: the replacement name. */
export const NAMES: readonly string[] = [
  `DELETE FROM attempts WHERE ${OWN_SLUG}`,
  `DELETE FROM board_places WHERE ${OWN_SLUG}`,
  "UPDATE boards SET made_by = ?2 WHERE made_by = ?1",
  `UPDATE republications SET changes = (SELECT json_group_array(json(value)) FROM json_each(changes)
      WHERE NOT coalesce(${IS_OWN}, 0)) WHERE instr(changes, '"' || ?1 || '/') > 0`,
  "UPDATE runs SET started_by = ?2 WHERE started_by = ?1 AND started_by <> owner",
  `DELETE FROM submissions WHERE owner = ?1 AND NOT EXISTS (
    SELECT 1 FROM runs WHERE submission_id = submissions.id)`,
  "UPDATE OR IGNORE ratings SET rater = ?2 WHERE rater = ?1",
  "UPDATE bans SET by = ?2 WHERE by = ?1",
  "UPDATE reader_reports SET decided_by = ?2 WHERE decided_by = ?1",
  // Actions of the person on other accounts stay in the log, without the person's name.
  `UPDATE audit_log SET actor = ?2, key_id = NULL, reason = iif(${IS_ITS}, NULL, reason),
    before = iif(${IS_ITS}, NULL, before), after = iif(${IS_ITS}, NULL, after),
    target = iif(action = 'key.approve', 'deleted', target) WHERE actor = ?1`,
  `UPDATE audit_log SET
      target = CASE WHEN target = ?1 AND ${OF_ACCOUNTS} THEN ?2 ${PLACES.map(AT_PLACE).join(" ")}
        WHEN substr(target, 1, 18) = '/v1/organisations/' AND substr(target, -9 - length(?1)) = '/members/' || ?1
        THEN substr(target, 1, length(target) - length(?1)) || ?2 ELSE target END,
      reason = ${UNLESS_NAMED("reason")}, before = ${RENAMED("before")}, after = ${RENAMED("after")}
    WHERE instr(target, ?1) > 0 OR instr(lower(reason), lower(?1)) > 0 OR instr(before, ?1) > 0
      OR instr(after, ?1) > 0`,
];

/** SQL: 1 if anything is left, else 0. ?1: owner. */
export const LEFT = `SELECT
  EXISTS (SELECT 1 FROM runs WHERE owner = ?1) OR EXISTS (SELECT 1 FROM datasets WHERE owner = ?1)
  OR EXISTS (SELECT 1 FROM submissions WHERE owner = ?1)
  OR EXISTS (SELECT 1 FROM sessions WHERE owner = ?1) OR EXISTS (SELECT 1 FROM api_keys WHERE owner = ?1)
  OR EXISTS (SELECT 1 FROM audit_log WHERE actor = ?1) AS found`;

const count = (name: string, from: string) => `(SELECT count(*) FROM ${from}) AS ${name}`;

export const countsOf = `SELECT ${[
  count("runs", "runs WHERE owner = ?1 AND deleted_at IS NULL"),
  count("datasets", "datasets WHERE owner = ?1"),
  count("boards", "boards WHERE made_by = ?1"),
  count("schedules", "schedules WHERE owner = ?1"),
  count("webhooks", "webhooks WHERE owner = ?1"),
  count("runners", "runners WHERE owner = ?1"),
  count("parities", "parities WHERE owner = ?1"),
  count("keys", "api_keys WHERE owner = ?1 AND revoked_at IS NULL"),
  count("sessions", "sessions WHERE owner = ?1"),
  count("members", "members WHERE owner = ?1"),
  count("memberships", "members WHERE person = ?1"),
  count(
    "runsOfOthers",
    `runs r JOIN datasets d ON d.suite = r.suite AND d.version = r.dataset_version
      AND d.name = r.dataset_name WHERE d.owner = ?1 AND r.owner <> ?1`,
  ),
].join(", ")}`;
