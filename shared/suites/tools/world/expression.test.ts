import { describe, expect, it } from "vitest";
import type { Json } from "../../../contracts/json.ts";
import { readExpression } from "./expression.ts";
import { Budget, ExpressionError } from "./functions.ts";

const state = {
  orders: [
    { id: 1, n: 2 },
    { id: 2, n: 5 },
  ],
  rooms: { blue: "free" },
};
const evaluated = (text: string, names: Record<string, Json> = { state, args: { id: 2 } }) =>
  readExpression(text).value({ names, budget: new Budget() });

describe("readExpression()", () => {
  it.each<[string, Json]>([
    ["1 + 2 * 3 - -4 / 2", 9],
    ["(1 + 2) * 3 % 5", 4],
    ["'a' + 1 + \"b\\n\"", "a1b\n"],
    ["1 < 2 && 'b' >= 'a' || false", true],
    ["null ?? 'none'", "none"],
    ["args.id == 2 ? 'two' : 'other'", "two"],
    ["state.rooms.blue", "free"],
    ["state.rooms['gre' + 'en']", null],
    ["state.missing.deeper", null],
    ["state.orders[0].n", 2],
    ["state.orders[-1].id", 2],
    ["state.orders.length", 2],
    ["state.orders.find(one => one.id == args.id).n", 5],
    ["state.orders.filter(o => o.n > 2).map(o => o.id)", [2]],
    ["state.orders.some(o => state.orders.every(p => p.n >= o.n))", true],
    ["[1, ...state.orders.map(o => o.n), 9].slice(1, 3)", [2, 5]],
    ["{...args, [state.rooms.blue]: true, 'x y': [null]}", { id: 2, free: true, "x y": [null] }],
    ["[{a: 1}].includes({a: 1})", true],
    ["{a: [1]} != {a: [1]}", false],
    ["'a,b'.split(',').join('-').toUpperCase()", "A-B"],
    ["' Ab '.trim().startsWith('A') && !'x'.includes('y')", true],
    ["keys(state.rooms).concat(values(state.rooms))", ["blue", "free"]],
    ["has(state.rooms, 'blue') && !has(state.rooms, 'toString')", true],
    ["round(2.345, 2) + min(3, 1) + max(1, 2) + sum([1, 2]) + number('4')", 12.35],
    ["text({a: 1}) + text('b')", '{"a":1}b'],
  ])("evaluates %s", (text, value) => {
    expect(evaluated(text)).toEqual(value);
  });

  it.each([
    ["1 +", /ends too early/],
    ["1 1", /unexpected 1/],
    ["state.orders[0", /ends too early/],
    ["a = 1", /unexpected =/],
    ["'open", /unexpected '/],
    [`${"(".repeat(50)}1${")".repeat(50)}`, /nested at most 40/],
    [`${"!".repeat(50)}true`, /nested too deep/],
    ["1".repeat(2001), /at most 2000 characters/],
    ["other", /other is not known/],
    ["eval('1')", /no function eval; there is keys/],
    ["state.orders.reduce(o => o)", /no method reduce; there is filter/],
    ["state.rooms.filter(o => o)", /needs a list or a text/],
    ["'a' - 1", /- needs numbers, not a/],
    ["1 / 0", /no finite number/],
    ["state.rooms[null]", /null is no key/],
    ["{['__proto__']: 1}", /__proto__ is no key/],
    ["state.constructor.constructor('return 1')()", /unexpected \(|needs a list/],
  ])("refuses %s", (text, message) => {
    expect(() => evaluated(text)).toThrow(ExpressionError);
    expect(() => evaluated(text)).toThrow(message);
  });

  it("ignores inherited members of objects", () => {
    expect(evaluated("state.toString")).toBeNull();
    expect(evaluated("state.orders.constructor")).toBeNull();
  });

  it("limits the computation of short expressions", () => {
    const doubled = (times: number) => `[1]${".map(a => [a, a])".repeat(times)}`;
    expect(() => evaluated(`text(${doubled(60)})`)).toThrow(/computes too much/);
    expect(() => evaluated(`${doubled(40)} == ${doubled(40)}`)).toThrow(/computes too much/);
    const long = Array.from({ length: 2000 }, (_, i) => i);
    const names = { state: { long } };
    const nested = "state.long.map(a => state.long.map(b => a * b))";
    expect(() => evaluated(nested, names)).toThrow(/computes too much/);
    const text = { state: { text: "x".repeat(60_000) } };
    expect(() => evaluated("state.text + state.text", text)).toThrow(/too long/);
  });
});
