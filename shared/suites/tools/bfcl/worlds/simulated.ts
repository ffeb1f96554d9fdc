import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";

/** The body of a method. */
export type Run = (args: JsonObject) => Json;

/** A method of a simulated class: its parameters and its body. */
interface Method {
  needed: readonly string[];
  defaults: JsonObject;
  run: Run;
}

/** An instance of a simulated class: its public attributes, and its methods by name. */
export interface Simulated {
  state: JsonObject;
  methods: Readonly<Record<string, Method>>;
}

/** Creates an instance from its initial configuration. */
export type SimulatedClass = (config: JsonObject) => Simulated;

/**
 * A method with the names of its required parameters, and the defaults of the others.
 * @example method(["folder"], {}, ({ folder }) => ({ current_working_directory: folder! }))
 */
export const method = (needed: readonly string[], defaults: JsonObject, run: Run): Method => ({
  needed,
  defaults,
  run,
});

/**
 * The result of a call as text: texts unchanged, nothing as `None`, other values as JSON. An error of the call or of
 * its parameters is also a text, as in BFCL. Null if there is no such method. Never throws.
 * @example calledMethodOf(instance, "pwd", {}) // '{"current_working_directory":"/"}'
 */
export function calledMethodOf(
  { methods }: Simulated,
  name: string,
  args: JsonObject,
): string | null {
  const its = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (its === undefined) return null;
  try {
    const unknown = Object.keys(args).find(
      (key) => !its.needed.includes(key) && !Object.hasOwn(its.defaults, key),
    );
    if (unknown !== undefined)
      throw new Error(`${name}() got an unexpected keyword argument '${unknown}'`);
    const missing = its.needed.find((key) => !Object.hasOwn(args, key));
    if (missing !== undefined) throw new Error(`${name}() missing required argument: '${missing}'`);
    const result = its.run({ ...its.defaults, ...args });
    if (result === null) return "None";
    return typeof result === "string" ? result : JSON.stringify(result);
  } catch (error) {
    return `Error during execution: ${(error as Error).message}`;
  }
}

const failed = (value: Json | undefined, kind: string) =>
  new Error(`'${value === undefined ? "None" : typeof value}' is no ${kind}`);

/** A text; throws for other values, as Python does if it needs a text. */
export function text(value: Json | undefined): string {
  if (typeof value === "string") return value;
  throw failed(value, "str");
}

/** A number; throws for other values. */
export function number(value: Json | undefined): number {
  if (typeof value === "number") return value;
  throw failed(value, "number");
}

/** A list; throws for other values. */
export function list(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  throw failed(value, "list");
}

/** An object; throws for other values. */
export function object(value: Json | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw failed(value, "dict");
}

/** An own property of an object; undefined if it is missing. */
export const own = (of: JsonObject, key: Json | undefined): Json | undefined => {
  const name = typeof key === "number" ? String(key) : key;
  return typeof name === "string" && Object.hasOwn(of, name) ? of[name] : undefined;
};

/** A required property of an object; throws if it is missing, as Python does. */
export function needed(of: JsonObject, key: string): Json {
  const value = own(of, key);
  if (value === undefined) throw new Error(`'${key}'`);
  return value;
}

/** The default attributes of a class, overridden by a configuration. */
export const configured = (config: JsonObject, defaults: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, structured(config[name] ?? value)]),
  );

/** A deep copy. */
export const structured = <Value extends Json>(value: Value): Value =>
  JSON.parse(JSON.stringify(value)) as Value;
