import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { list, method, number, type SimulatedClass, text } from "./simulated.ts";

const toMetres: Readonly<Record<string, number>> = {
  km: 1000,
  m: 1,
  cm: 0.01,
  mm: 0.001,
  um: 1e-6,
  nm: 1e-9,
};

const factors: Readonly<Record<string, number>> = {
  cm_to_in: 0.393701,
  in_to_cm: 2.54,
  m_to_ft: 3.28084,
  ft_to_m: 0.3048,
  m_to_yd: 1.09361,
  yd_to_m: 0.9144,
  km_to_miles: 0.621371,
  miles_to_km: 1.60934,
  kg_to_lb: 2.20462,
  lb_to_kg: 0.453592,
  celsius_to_fahrenheit: 1.8,
  fahrenheit_to_celsius: 5 / 9,
};

const both = ["a", "b"];
const result = (value: Json): JsonObject => ({ result: value });
const error = (why: string): JsonObject => ({ error: why });
const unsupported = (from: Json | undefined, to: Json | undefined) =>
  error(`Conversion from '${from}' to '${to}' is not supported`);

/** BFCL's `MathAPI`, which has no state. */
export const mathApi: SimulatedClass = () => ({
  state: {},
  methods: {
    logarithm: method(["value", "base", "precision"], {}, ({ value, base, precision }) => {
      const bits = Math.max(1, Math.round((number(precision) + 1) * bitsOfDigit));
      const [a, b] = [value, base].map((one) => inBits(Math.log(number(one)), bits));
      const digits = Math.max(1, Math.round(bits / bitsOfDigit) - 1);
      const text = String(rounded(inBits(a! / b!, bits), digits === 15 ? 17 : digits + 3));
      return `{'result': mpf('${/[.e]/.test(text) ? text : `${text}.0`}')}`;
    }),
    mean: ofNumbers("calculate mean", (all) => sum(all) / all.length),
    standard_deviation: ofNumbers("calculate standard deviation", (all) => {
      const mean = sum(all) / all.length;
      return Math.sqrt(sum(all.map((one) => (one - mean) ** 2)) / all.length);
    }),
    si_unit_conversion: method(["value", "unit_in", "unit_out"], {}, (args) => {
      const { value, unit_in: from, unit_out: to } = args;
      const [a, b] = [toMetres[text(from)], toMetres[text(to)]];
      if (typeof value !== "number") return error("Value must be a number");
      return a === undefined || b === undefined
        ? unsupported(from, to)
        : result(value * a * (1 / b));
    }),
    imperial_si_conversion: method(["value", "unit_in", "unit_out"], {}, (args) => {
      const { value, unit_in: from, unit_out: to } = args;
      if (typeof value !== "number") return error("Value must be a number");
      if (from === to) return result(value);
      const by = factors[`${from}_to_${to}`];
      if (by === undefined) return unsupported(from, to);
      if (from === "celsius") return result(value * by + 32);
      return result(from === "fahrenheit" ? (value - 32) * by : value * by);
    }),
    add: method(both, {}, ({ a, b }) => result(number(a) + number(b))),
    subtract: method(both, {}, ({ a, b }) => result(number(a) - number(b))),
    multiply: method(both, {}, ({ a, b }) => result(number(a) * number(b))),
    divide: method(both, {}, ({ a, b }) =>
      b === 0 ? error("Cannot divide by zero") : result(number(a) / number(b)),
    ),
    power: method(["base", "exponent"], {}, ({ base, exponent }) =>
      result(number(base) ** number(exponent)),
    ),
    square_root: method(["number", "precision"], {}, ({ number: of, precision }) => {
      if (number(of) < 0) return error("Cannot calculate square root of a negative number");
      return `{'result': Decimal('${rounded(Math.sqrt(number(of)), number(precision))}')}`;
    }),
    absolute_value: method(["number"], {}, ({ number: of }) => result(Math.abs(number(of)))),
    round_number: method(["number"], { decimal_places: 0 }, ({ number: of, decimal_places: to }) =>
      result(roundedEven(number(of), number(to))),
    ),
    percentage: method(["part", "whole"], {}, ({ part, whole }) =>
      whole === 0
        ? error("Whole value cannot be zero")
        : result((number(part) / number(whole)) * 100),
    ),
    min_value: ofNumbers("find minimum", (all) => Math.min(...all)),
    max_value: ofNumbers("find maximum", (all) => Math.max(...all)),
    sum_values: ofNumbers("calculate sum", sum),
  },
});

function ofNumbers(what: string, of: (all: number[]) => number) {
  return method(["numbers"], {}, ({ numbers }) => {
    const all = list(numbers);
    if (all.length === 0) return error(`Cannot ${what} of an empty list`);
    return all.every((one) => typeof one === "number")
      ? result(of(all as number[]))
      : error("All elements in the list must be numbers");
  });
}

const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);

/** Bits per decimal digit, as in mpmath. */
const bitsOfDigit = Math.log2(10);

/** A number rounded to `bits` significant bits, as mpmath does at a low precision. */
function inBits(value: number, bits: number): number {
  if (bits >= 53 || value === 0 || !Number.isFinite(value)) return value;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) + 1 - bits);
  return Math.round(value / unit) * unit;
}

const rounded = (value: number, digits: number): number =>
  Number(value.toPrecision(Math.min(100, Math.max(1, digits))));

/** Rounds halves to the even neighbour, as in Python. */
function roundedEven(value: number, places: number): number {
  const digits = Math.min(100, Math.max(0, places));
  const scaled = value * 10 ** digits;
  const isHalf = Math.abs(scaled % 1) === 0.5;
  return isHalf ? (2 * Math.round(scaled / 2)) / 10 ** digits : Number(value.toFixed(digits));
}
