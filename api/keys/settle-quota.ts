/** A run's samples that were evaluated: those with a row, but for what was lost on our side. */
const EVALUATED = `(SELECT count(*) FROM samples
  WHERE run_id = ?1 AND error_class IS NOT 'lost')`;

/** What a run is to be charged for: no less than was evaluated, no less than can't be given back. */
const DUE = `max(${EVALUATED}, charged - refundable)`;

/** A charge after the end may pass the limit: the answer is there. New work still finds it passed. */
const settleUsage = (condition: string): string => `
  UPDATE usage SET used = max(0, used + due.change), allowed = max(allowed, used + due.change)
  FROM (SELECT quota_key, quota_day, ${DUE} - charged AS change FROM runs
    WHERE id = ?1 AND quota_key IS NOT NULL AND ${condition}) AS due
  WHERE usage.key = due.quota_key AND usage.day = due.quota_day`;

const settleRun = (condition: string): string => `
  UPDATE runs SET (charged, refundable) = (
    SELECT n, refundable + n - charged FROM (SELECT ${DUE} AS n))
  WHERE id = ?1 AND ${condition}`;

/**
 * Statements that make what a run is charged for equal to what was evaluated of it, where a
 * condition on its row holds: what it did not get is given back, what came after its end is charged.
 * In one batch with the change that they follow from. They count rows, so that sent again they
 * change nothing. Parameters: ?1 the run, and those of the condition.
 */
export const settleQuota = (condition: string): [usage: string, run: string] => [
  settleUsage(condition),
  settleRun(condition),
];
