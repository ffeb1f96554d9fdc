/** The outcome of an operation whose failure is expected: data, never an exception. */
export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

/** Wraps a success. @example ok(1) // { ok: true, value: 1 } */
export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** Wraps an expected failure. @example err("no id") // { ok: false, error: "no id" } */
export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error });
