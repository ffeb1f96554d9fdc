import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import { illFormedPath } from "#shared/contracts/well-formed.ts";
import type { DatasetIndex } from "../datasets/dataset-ports.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";
import type { RunRecord } from "../platform/ports.ts";
import { asksOtherwise, type ReadOptions } from "./asks-otherwise.ts";

/** Longest part of an option that is quoted back. */
const MAX_QUOTED = 60;

type Options = Record<string, unknown>;

/**
 * A run's options with those wanted laid over them, checked by its suite as it is now. Judges that are
 * named go before all that the run had.
 */
export function rescoringOptions(
  suite: Suite,
  given: RunRecord["options"],
  wanted: Options,
): Result<ReadOptions, FieldError[]> {
  const illFormed = illFormedPath(wanted);
  if (illFormed !== null) {
    const detail = "holds half of a surrogate pair, which is no Unicode text";
    return err([{ pointer: `/options${pointerOf(illFormed)}`, detail }]);
  }
  const replaced = Object.keys(wanted).flatMap((name) => suite.judging?.replaces[name] ?? []);
  const kept = Object.entries(given).filter(([name]) => !replaced.includes(name));
  const all = { ...Object.fromEntries(kept), ...wanted };
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(all));
  const runWide = changedNames(given, wanted).filter((name) => !(name in suiteOptionsOf(wanted)));
  if (own.success && runWide.length === 0) return ok({ all, own: own.data });
  const unfit = own.success ? [] : fieldErrors(own.error.issues, all, "/options");
  return err([...runWide.map((name) => refusal(name, given, wanted)), ...unfit]);
}

/** The wanted options that no error is about. */
export function withoutErrors(wanted: Options, errors: readonly FieldError[]): Options {
  const pointers = errors.map(({ pointer }) => `${pointer}/`);
  const isFit = (name: string) => {
    const own = `/options${pointerOf([name])}/`;
    return !pointers.some((pointer) => pointer.startsWith(own));
  };
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => isFit(name)));
}

/** Wanted options that change what is asked, one by one: each is undone by itself and compared. */
export function askingErrors(
  suite: Suite,
  index: DatasetIndex,
  samples: readonly unknown[],
  given: RunRecord["options"],
  wanted: Options,
  read: ReadOptions,
): FieldError[] {
  const asked = changedNames(given, wanted).filter((name) => {
    const { [name]: _, ...others } = wanted;
    const undone = rescoringOptions(suite, given, others);
    return undone.ok && asksOtherwise(suite, index, samples, read, undone.value);
  });
  return asked.map((name) => refusal(name, given, wanted));
}

const changedNames = (given: Options, wanted: Options): string[] =>
  Object.keys(wanted).filter(
    (name) => JSON.stringify(wanted[name]) !== JSON.stringify(given[name]),
  );

function refusal(name: string, given: Options, wanted: Options): FieldError {
  const change = `${quoted(wanted[name])} instead of ${quoted(given[name])}`;
  const detail = `${change} would change what the model is asked, and rescoring asks nothing: leave it out, or submit the model again with it`;
  return { pointer: `/options${pointerOf([name])}`, detail };
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}
