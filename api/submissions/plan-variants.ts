import { fieldErrors, pointerOf } from "#shared/contracts/field-errors.ts";
import type { FieldError } from "#shared/contracts/problem.ts";
import { err, ok, type Result } from "#shared/contracts/result.ts";
import type { Suite } from "#shared/contracts/suite.ts";
import {
  mostVariants,
  type SweepRequest,
  type Variant,
  type VariantValue,
} from "#shared/contracts/variant.ts";
import { variantText } from "#shared/measures/sweeps/variant-text.ts";
import { suiteOptionsOf } from "../engine/run-plan.ts";

/** What one run of each model is asked with. */
export interface RunVariant {
  /** What a sweep sets, by its names; null without a sweep. */
  values: Variant | null;
  suiteOptions: unknown;
  /** The options as they are stored and shown: defaults filled in. */
  options: Record<string, unknown>;
}

type Options = Record<string, unknown>;

const base = "/options/sweep";

/** The variants of a sweep over the options given beside it, each checked by the suite as a whole. */
export function sweepVariants(
  suite: Suite,
  sweep: SweepRequest,
  plain: Options,
): Result<RunVariant[], FieldError[]> {
  const errors = [...nameErrors(suite, sweep, plain), ...countErrors(sweep)];
  const lists = Object.entries(sweep).filter(([, values]) => values.length <= mostVariants);
  errors.push(...lists.flatMap(([name, values]) => listErrors(suite, name, values, plain)));
  if (errors.length > 0) return err(errors);
  const read = combinations(sweep).map((values) => readVariant(suite, values, plain));
  const unfit = read.flatMap((one) => (one.ok ? [] : one.error));
  return unfit.length > 0 ? err(unfit) : ok(read.flatMap((one) => (one.ok ? [one.value] : [])));
}

/** The option that a name sets; null where the suite can't sweep it. */
const optionOf = ({ sweeps = {} }: Suite, name: string): string | null =>
  Object.hasOwn(sweeps, name) ? (sweeps[name] ?? null) : null;

function nameErrors(suite: Suite, sweep: SweepRequest, plain: Options): FieldError[] {
  const known = Object.keys(suite.sweeps ?? {}).join(", ");
  if (known === "") {
    return [
      { pointer: base, detail: `suite "${suite.id}" has nothing that can be swept: leave it out` },
    ];
  }
  const names = Object.keys(sweep);
  if (names.length === 0) {
    const detail = `names nothing to sweep: leave it out, or give lists for some of ${known}`;
    return [{ pointer: base, detail }];
  }
  return names.flatMap((name): FieldError[] => {
    const pointer = base + pointerOf([name]);
    const option = optionOf(suite, name);
    if (option === null) {
      return [{ pointer, detail: `can't be swept in suite "${suite.id}"; what can: ${known}` }];
    }
    if (!(option in plain)) return [];
    const detail = `is swept as options.sweep.${name} and given plainly: leave one of the two out`;
    return [{ pointer: `/options${pointerOf([option])}`, detail }];
  });
}

/** How many variants there are, and by how much which list has to be shorter. */
function countErrors(sweep: SweepRequest): FieldError[] {
  const lists = Object.entries(sweep).map(([name, { length }]) => ({ name, length }));
  const count = lists.reduce((product, { length }) => product * length, 1);
  if (count <= mostVariants) return [];
  const cuts = lists.flatMap(({ name, length }) => {
    const fits = Math.floor(mostVariants / (count / length));
    return length > 1 && fits >= 1 ? [`${name} to ${fits} (it has ${length})`] : [];
  });
  const product = lists.map(({ length }) => length).join(" × ");
  const advice = cuts.length > 0 ? `shorten ${cuts.join(", or ")}` : "shorten more than one list";
  const asked = lists.length > 1 ? `${product} = ${count}` : `${count}`;
  const detail = `makes ${asked} variants, more than the ${mostVariants} a sweep may have: ${advice}`;
  return [{ pointer: base, detail }];
}

/** Values that stand twice, and those that the plain option would not take either. */
function listErrors(
  suite: Suite,
  name: string,
  values: readonly VariantValue[],
  plain: Options,
): FieldError[] {
  const option = optionOf(suite, name);
  const seen = new Set<string>();
  return values.flatMap((value, i): FieldError[] => {
    const pointer = base + pointerOf([name, i]);
    const key = JSON.stringify(value);
    if (seen.has(key)) return [{ pointer, detail: `${key} stands twice in this list` }];
    seen.add(key);
    if (option === null) return [];
    const wanted = suiteOptionsOf({ ...plain, [option]: value });
    const read = suite.optionsSchema.safeParse(wanted);
    const issues = read.success ? [] : read.error.issues.filter(({ path }) => path[0] === option);
    return fieldErrors(issues, wanted).map(({ detail }) => ({ pointer, detail }));
  });
}

/** Every combination, the last parameter changing fastest. */
function combinations(sweep: SweepRequest): Variant[] {
  return Object.entries(sweep).reduce<Variant[]>(
    (variants, [name, values]) =>
      variants.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value }))),
    [{}],
  );
}

/** Values that are right by themselves may still not go together. */
function readVariant(
  suite: Suite,
  values: Variant,
  plain: Options,
): Result<RunVariant, FieldError[]> {
  const swept = Object.entries(values).map(([name, value]) => [optionOf(suite, name), value]);
  const all = { ...plain, ...Object.fromEntries(swept) };
  const own = suite.optionsSchema.safeParse(suiteOptionsOf(all));
  if (own.success) {
    return ok({ values, suiteOptions: own.data, options: { ...all, ...(own.data as Options) } });
  }
  return err(
    fieldErrors(own.error.issues, all).map(({ detail }) => ({
      pointer: base,
      detail: `the variant ${variantText(values)}: ${detail}`,
    })),
  );
}
