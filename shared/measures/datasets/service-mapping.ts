import jsonata from "jsonata";
import { longestMapping, type RowMapping } from "../../contracts/datasets/row-mapping.ts";

/** JSONata functions that take linear time and return at most a constant multiple of their input's size. */
const allowedFunctions = new Set(
  "string number boolean not exists length lowercase uppercase trim substring substringBefore substringAfter join count sum max min average abs floor ceil round keys lookup merge type".split(
    " ",
  ),
);

/** Allowed functions that can return lists and objects. */
const structuring = new Set(["keys", "lookup", "merge"]);

/** Maximum length of the separator of `$join`, because a long one would multiply a long list. */
const longestSeparator = 20;

/** Types of expressions that evaluate each of their parts only once. */
const allowedParts = new Set(
  "path name string number value binary unary condition function variable block wildcard filter".split(
    " ",
  ),
);

/** Allowed path steps after the first one: others could double their input repeatedly. */
const allowedSteps = new Set(["name", "string", "wildcard"]);

/** Members of a mapping that concern local files. */
const localKeys = ["folder", "columns", "quotes", "lines", "split"] as const;

/** Maximum number of parts of all expressions together, because each may copy the row. */
const MOST_PARTS = 300;

/**
 * Why a service does not evaluate a mapping; null if it does. A service evaluates untrusted mappings without a time
 * limit, so they may contain paths, operators, conditions and plain functions, but nothing that can repeat (their own
 * functions, variables, ranges, regular expressions), and no files. Linear.
 * @example serviceMappingProblem({ map: { text: "$pad(body, 1e9)" }, tags: {}, files: {} }) // "text: a service …"
 */
export function serviceMappingProblem(mapping: RowMapping): string | null {
  const { map, tags, files } = mapping;
  const [file] = Object.keys(files);
  if (file !== undefined) return `files: a service can't read "${file}": leave files out`;
  const key = localKeys.find((one) => mapping[one] !== undefined);
  if (key !== undefined) {
    return `${key}: a service takes one JSON object a line; assay dataset stream reads other files on your machine`;
  }
  const length = JSON.stringify({ map, tags }).length;
  if (length > longestMapping) {
    return `it has ${length} characters, more than the ${longestMapping} that a service keeps`;
  }
  const parts = { count: 0 };
  for (const [name, expression] of [...Object.entries(map), ...Object.entries(tags)]) {
    const problem = expressionProblem(expression, parts);
    if (problem !== null) return `${name}: ${problem}`;
  }
  if (parts.count <= MOST_PARTS) return null;
  return `its expressions have ${parts.count} parts, more than the ${MOST_PARTS} that a service evaluates`;
}

function expressionProblem(expression: string, parts: { count: number }): string | null {
  try {
    return partProblem(jsonata(expression).ast(), parts);
  } catch (error) {
    return (error as { message?: string }).message ?? String(error);
  }
}

const refusal = (what: string): string =>
  `a service evaluates paths, operators, conditions and plain functions ($${[...allowedFunctions].join(", $")}), but not ${what}; assay dataset stream evaluates it on your machine`;

/**
 * Walks the parser's tree: each object with a type is a part of the expression. Only values from the row may be
 * converted to JSON, because nested conversions double the backslashes each time.
 */
function partProblem(given: unknown, parts: { count: number }, becomesJson = false): string | null {
  if (typeof given !== "object" || given === null) return null;
  parts.count += 1;
  const own = ownProblem(given as Part) ?? joinProblem(given as Part);
  if (own !== null) return own;
  if (becomesJson && makesList(given as Part)) return refusal("lists and objects in & or $string");
  const isJson = isMadeJson(given as Part) ?? becomesJson;
  for (const [key, part] of Object.entries(given)) {
    const problem = key === "procedure" ? null : partProblem(part, parts, isJson);
    if (problem !== null) return problem;
  }
  return null;
}

interface Part {
  type?: unknown;
  value?: unknown;
  procedure?: { value?: unknown };
  arguments?: readonly Part[];
  keepArray?: unknown;
  steps?: readonly { type?: unknown }[];
  group?: unknown;
}

const makesList = ({ type, value, keepArray }: Part): boolean =>
  (type === "unary" && value !== "-") || keepArray === true;

/** Whether a list or object in a part is converted to JSON; null: the same as for the part itself. */
function isMadeJson({ type, value, procedure }: Part): boolean | null {
  if (type === "binary" && value === "&") return true;
  if (type !== "function" || structuring.has(String(procedure?.value))) return null;
  return procedure?.value === "string";
}

function joinProblem({ procedure, arguments: given = [] }: Part): string | null {
  const [, second] = given;
  if (second === undefined) return null;
  if (procedure?.value === "string") return refusal("a second argument of $string");
  if (procedure?.value !== "join") return null;
  const isShort = second.type === "string" && String(second.value).length <= longestSeparator;
  return isShort
    ? null
    : refusal(`a separator of $join other than a text of at most ${longestSeparator} characters`);
}

function ownProblem({ type, value, procedure, steps = [], group }: Part): string | null {
  if (typeof type !== "string") return null;
  if (!allowedParts.has(type)) return refusal(`a ${type}`);
  if (type === "binary" && value === "..") return refusal("a range");
  if (group !== undefined) return refusal("groups");
  // `$` is the row, or the element that a filter tests.
  if (type === "variable" && value !== "") return refusal(`the variable $${value}`);
  if (type === "function" && !allowedFunctions.has(String(procedure?.value))) {
    return refusal(`the function $${procedure?.value}`);
  }
  const computed = steps.slice(1).find((step) => !allowedSteps.has(String(step.type)));
  return computed === undefined ? null : refusal(`a ${computed.type} within a path`);
}
