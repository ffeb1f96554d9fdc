import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { err, ok, type Result } from "../../../contracts/result.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import { bfclClasses } from "../bfcl/worlds/classes.ts";
import { calledMethodOf } from "../bfcl/worlds/simulated.ts";
import { mostState, readEffects, runEffects, type ToolEffects } from "./effects.ts";

/** The world on which tools act: a state with the effects of each tool, or simulated classes of BFCL. */
export type WorldSpec =
  | { state: JsonObject; effects: Record<string, Json> }
  | { state: JsonObject; bfcl: string[] };

/** A world during a conversation. */
export interface World {
  /** Result of a call, as text. Changes the state. Never throws. */
  call(name: string, args: JsonObject): string;
  /** The state that is compared, without top-level keys that begin with `_` and hidden attributes of BFCL's classes. */
  state(): JsonObject;
}

/** Maximum tools with effects. */
const mostTools = 128;
/** Maximum characters of a result that are sent to the model. */
const mostResult = 20_000;

/** Parsed effects are cached, because reading expressions costs more than a conversation. */
const compiled = new WeakMap<JsonObject, Map<string, ToolEffects>>();

/**
 * Whether a world can be used: its state is an object of at most 100,000 characters, and every effect can be read.
 * Never throws. Linear.
 * Source: docs/spec/tools.md, worlds.
 * @example checkWorld({ state: {}, effects: { ping: [{ result: "1" }] } }).ok // true
 */
export function checkWorld(given: Json): Result<WorldSpec, string> {
  if (!isJsonObject(given)) return err("world must be an object with state and effects");
  const { state = {}, effects, bfcl, ...rest } = given;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return err(`world has an unknown field ${unknown}`);
  if (!isJsonObject(state)) return err("world.state must be an object");
  if (isTooDeep(state)) return err("world.state is nested too deep");
  if (JSON.stringify(state).length > mostState)
    return err(`world.state has more than ${mostState} characters`);
  if (bfcl !== undefined) return effects === undefined ? bfclWorld(state, bfcl) : twoKinds;
  if (!isJsonObject(effects) || Object.keys(effects).length > mostTools)
    return err(
      `world.effects must be an object: a list of effects for each of up to ${mostTools} tools`,
    );
  const tools = toolsIn(effects);
  return tools.ok ? ok({ state, effects }) : tools;
}

function toolsIn(effects: JsonObject): Result<Map<string, ToolEffects>, string> {
  const known = compiled.get(effects);
  if (known !== undefined) return ok(known);
  const tools = new Map<string, ToolEffects>();
  for (const [name, list] of Object.entries(effects)) {
    const read = readEffects(list);
    if (!read.ok) return err(`world.effects.${name}: ${read.error}`);
    tools.set(name, read.value);
  }
  compiled.set(effects, tools);
  return ok(tools);
}

const twoKinds = err("world has effects or bfcl, not both");

function bfclWorld(state: JsonObject, bfcl: Json): Result<WorldSpec, string> {
  const known = Object.keys(bfclClasses);
  const isKnown = (one: Json): one is string => known.some((name) => name === one);
  if (!Array.isArray(bfcl) || bfcl.length > known.length || !bfcl.every(isKnown))
    return err(`world.bfcl must be a list of ${known.join(", ")}`);
  try {
    openBfcl(state, bfcl);
    return ok({ state, bfcl });
  } catch (error) {
    return err(
      `world.state is no configuration of ${bfcl.join(", ")}: ${(error as Error).message}`,
    );
  }
}

/**
 * A world in its initial state.
 * @example openWorld({ state: { n: 1 }, effects: {} }).state() // { n: 1 }
 */
export function openWorld(spec: WorldSpec): World {
  const world = "bfcl" in spec ? openBfcl(spec.state, spec.bfcl) : openEffects(spec);
  return {
    ...world,
    call(name, args) {
      const result = world.call(name, args);
      return result.length <= mostResult ? result : `${result.slice(0, mostResult - 1)}…`;
    },
  };
}

function openEffects({ state: given, effects }: { state: JsonObject; effects: JsonObject }): World {
  const state = JSON.parse(JSON.stringify(given)) as JsonObject;
  const tools = toolsIn(effects);
  if (!tools.ok) throw new Error(tools.error);
  return {
    call(name, args) {
      const its = tools.value.get(name);
      return its === undefined ? noSuchTool(name) : JSON.stringify(runEffects(its, state, args));
    },
    state: () => withoutHidden(state),
  };
}

function openBfcl(given: JsonObject, names: readonly string[]): World {
  const instances = names.map((name) => {
    const config = given[name];
    return [name, bfclClasses[name]!(isJsonObject(config) ? config : {})] as const;
  });
  return {
    call(name, args) {
      for (const [, instance] of instances) {
        const result = calledMethodOf(instance, name, args);
        if (result !== null) return result;
      }
      return `Error during execution: name '${name}' is not defined`;
    },
    state: () =>
      Object.fromEntries(instances.map(([name, { state }]) => [name, withoutHidden(state)])),
  };
}

const noSuchTool = (name: string): string =>
  JSON.stringify({ error: `there is no tool ${name} here` });

const withoutHidden = (state: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(state).filter(([name]) => !name.startsWith("_")));
