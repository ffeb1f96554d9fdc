import type { Json } from "../../../contracts/json.ts";
import { type Budget, ExpressionError, isTrue, type Node, shownValue } from "./functions.ts";

/** Precedence of operators. */
export const binding: Readonly<Record<string, number>> = {
  "??": 1,
  "||": 2,
  "&&": 3,
  "==": 4,
  "===": 4,
  "!=": 4,
  "!==": 4,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "+": 6,
  "-": 6,
  "*": 7,
  "/": 7,
  "%": 7,
};

/**
 * The node of an operator with two expressions; `&&`, `||` and `??` evaluate the second one only if needed.
 * @example operation("+", () => 1, () => 2)(scope) // 3
 */
export function operation(sign: string, a: Node, b: Node): Node {
  switch (sign) {
    case "&&":
      return (scope) => (isTrue(a(scope)) ? b(scope) : a(scope));
    case "||":
      return (scope) => {
        const left = a(scope);
        return isTrue(left) ? left : b(scope);
      };
    case "??":
      return (scope) => a(scope) ?? b(scope);
    case "==":
    case "===":
      return (scope) => scope.budget.equal(a(scope), b(scope));
    case "!=":
    case "!==":
      return (scope) => !scope.budget.equal(a(scope), b(scope));
    case "+":
      return (scope) => plus(a(scope), b(scope), scope.budget);
    default:
      return (scope) => compared(sign, a(scope), b(scope));
  }
}

function plus(a: Json, b: Json, budget: Budget): Json {
  if (typeof a === "string" || typeof b === "string") return `${budget.text(a)}${budget.text(b)}`;
  return finite(numberIn(a, "+") + numberIn(b, "+"));
}

function compared(sign: string, a: Json, b: Json): Json {
  if (typeof a === "string" && typeof b === "string" && /[<>]/.test(sign)) {
    const order = a < b ? -1 : a > b ? 1 : 0;
    return compared(sign, order, 0);
  }
  const [x, y] = [numberIn(a, sign), numberIn(b, sign)];
  switch (sign) {
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
    case "*":
      return finite(x * y);
    case "/":
      return finite(x / y);
    case "%":
      return finite(x % y);
    default:
      return finite(x - y);
  }
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ExpressionError("the result is no finite number");
  return value;
}

/**
 * A number; throws for other values.
 * @example numberIn(1, "-") // 1
 */
export function numberIn(value: Json, sign: string): number {
  if (typeof value === "number") return value;
  throw new ExpressionError(`${sign} needs numbers, not ${shownValue(value)}`);
}
