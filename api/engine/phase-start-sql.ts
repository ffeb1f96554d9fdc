/**
 * Puts a run at the beginning of a phase, as a part of an UPDATE: the parameter is a `PhaseStart` as JSON.
 * @example PHASE_START("?3")
 */
export const PHASE_START = (start: string): string => `
    phase = ${start} ->> 'phase', lanes = ${start} ->> 'lanes',
    concurrency = ${start} ->> 'concurrency', slot_limit = ${start} ->> 'slotLimit',
    endpoint_origin = ${start} ->> 'origin', cursor = ${start} ->> 'cursor'`;
