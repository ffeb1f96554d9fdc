import { expect, test } from "vitest";
import { rowMapper } from "./row-mapper.ts";

/** The value of one expression for a row, or the error. */
async function evaluated(expression: string, row = {}) {
  const mapper = rowMapper(
    { map: { a: expression }, tags: {}, files: {} },
    { files: {}, fixed: {} },
  );
  const mapped = mapper.ok ? await mapper.value.rowsOf(row) : mapper;
  return mapped.ok ? mapped.value[0]?.["a"] : mapped.error;
}

const many = (one: string, times = 30) => one.repeat(times);
const words = {
  text: `${"a".repeat(80)}!`,
  mail: `${"x ".repeat(3_000)}ada@example.org`,
  time: "5.3.2026",
};

test.each([
  ["$match(mail, /(\\w+)@(\\w+)/).groups", ["ada", "example"]],
  ["$replace(time, /(\\d+)\\.(\\d+)\\.(\\d+)/, '$3-$2-$1')", "2026-3-5"],
  ["$count($split(mail, /\\s+/))", 3_001],
  ["$contains(text, /A{80}!/i)", true],
  ["$toMillis('2026-03-05')", Date.UTC(2026, 2, 5)],
  ["$toMillis(time, '[D].[M].[Y]')", Date.UTC(2026, 2, 5)],
  ["time ~> $toMillis('[D].[M].[Y]')", Date.UTC(2026, 2, 5)],
  ["$toMillis(nothing) = 1", false],
  [`$toMillis('${many("a", 31)}!', '${many("[YA]", 8)}')`, undefined],
  ["($f := function($x) { $x & '\"signature\":{' }; $f('a'))", 'a"signature":{'],
])("rowMapper() evaluates %s", async (expression, value) => {
  expect(await evaluated(expression, words)).toEqual(value);
});

test.each([
  ["$contains(text, /(a+)+$/)", "/(a+)+$/ takes too many steps on a text of 81 characters"],
  [`$toMillis(text, '${many("[Y]")}')`, "$toMillis takes a picture of at most 8 parts"],
  ["$toMillis('one', '[Yw]')", "without words"],
  ["$eval('1')", "$eval is not available here"],
  [`function($x)<${many("n+")}:n>{1}(${many("1,")}'x')`, "leave out <…>"],
  ["$sum([1..2000000])", "sequence"],
])("rowMapper() rejects %s", async (expression, why) => {
  expect(await evaluated(expression, words)).toContain(why);
});
