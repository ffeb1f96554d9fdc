/** Sets a run's counters to what its rows say, as a part of an UPDATE; ?1 is the run. */
export const COUNTERS_OF_ROWS = `(done, failed, input_tokens, output_tokens, unmetered) = (
    SELECT count(*), coalesce(sum(NOT covered), 0), coalesce(sum(input_tokens), 0),
      coalesce(sum(output_tokens), 0),
      coalesce(sum(covered AND (input_tokens IS NULL OR output_tokens IS NULL)), 0)
    FROM samples WHERE run_id = ?1)`;
