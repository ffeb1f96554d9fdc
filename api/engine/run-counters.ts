/**
 * Sets a run's counters to what its rows say in a phase, as a part of an UPDATE; ?1 is the run.
 * @example countersOfRows("phase")
 */
export const countersOfRows = (
  phase: string,
): string => `(done, failed, input_tokens, output_tokens, unmetered, failed_judgments) = (
    SELECT CASE ${phase} WHEN 'judging' THEN coalesce(sum(status <> 'answered'), 0) ELSE count(*) END,
      coalesce(sum(NOT covered), 0), coalesce(sum(input_tokens), 0),
      coalesce(sum(output_tokens), 0),
      coalesce(sum(covered AND (input_tokens IS NULL OR output_tokens IS NULL)), 0),
      coalesce(sum(failed_judgments), 0)
    FROM samples WHERE run_id = ?1)`;
