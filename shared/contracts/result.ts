/** The outcome of an operation whose failure is expected: data, never an exception. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

/** Wraps a success. */
export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** Wraps an expected failure. */
export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });
