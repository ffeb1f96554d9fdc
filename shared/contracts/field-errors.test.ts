import { expect, it } from "vitest";
import { z } from "zod";
import { fieldErrors, nearestFields } from "./field-errors.ts";

const schema = z.strictObject({
  "a/b": z.string({ error: "must be text" }).optional(),
  n: z.number().optional(),
  price: z.number().positive().lt(10).optional(),
  count: z.number().min(2).max(3).optional(),
  apiKey: z.string({ error: "must be text" }).optional(),
  since: z.iso.datetime().optional(),
  any: z.strictObject({ value: z.unknown() }).optional(),
  list: z.array(z.strictObject({ id: z.string({ error: "must be text" }) })).optional(),
});

const errorsOf = (value: unknown, base?: string) =>
  fieldErrors(schema.safeParse(value).error?.issues ?? [], value, base);

it.each<[unknown, { pointer: string; detail: string }[]]>([
  [{ "a/b": 1 }, [{ pointer: "/a~1b", detail: "must be text, not 1" }]],
  [{ list: [{ id: null }] }, [{ pointer: "/list/0/id", detail: "must be text, not null" }]],
  [{ list: [{}] }, [{ pointer: "/list/0/id", detail: "must be text" }]],
  [{ any: {} }, [{ pointer: "/any/value", detail: "must be given" }]],
  [{ price: -1 }, [{ pointer: "/price", detail: "must be more than 0, not -1" }]],
  [{ price: 10 }, [{ pointer: "/price", detail: "must be less than 10, not 10" }]],
  [{ count: 1 }, [{ pointer: "/count", detail: "must be at least 2, not 1" }]],
  [{ count: 4 }, [{ pointer: "/count", detail: "must be at most 3, not 4" }]],
  [
    { since: "today" },
    [{ pointer: "/since", detail: 'must be a time such as 2027-01-31T00:00:00Z, not "today"' }],
  ],
  [{ "a/b": ["long"] }, [{ pointer: "/a~1b", detail: "must be text" }]],
])("fieldErrors() of %j", (value, expected) => {
  expect(errorsOf(value)).toEqual(expected);
});

it("fieldErrors() returns one error for each unknown field", () => {
  expect(errorsOf({ x: 1, y: 2 }, "/options").map(({ pointer }) => pointer)).toEqual([
    "/options/x",
    "/options/y",
  ]);
});

it("fieldErrors() never quotes an API key", () => {
  expect(errorsOf({ apiKey: 12_345 })).toEqual([{ pointer: "/apiKey", detail: "must be text" }]);
});

it("fieldErrors() cuts long values", () => {
  expect(errorsOf({ n: "x".repeat(1_000) })[0]?.detail.length).toBeLessThan(150);
});

it("fieldErrors() suggests the nearest known field if zod is configured with nearestFields()", () => {
  z.config({ customError: nearestFields });
  const details = errorsOf({ prise: 1, zzz: 2, list: [{ idd: 1 }] }).map(({ detail }) => detail);
  z.config({ customError: undefined });
  expect(details).toEqual([
    "must be text",
    'there is no field "idd" here; did you mean id?',
    'there is no field "prise" here; did you mean price?',
    'there is no field "zzz" here',
  ]);
});
