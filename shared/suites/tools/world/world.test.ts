import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../contracts/json.ts";
import { bankRow } from "../__fixtures__/bank.ts";
import { checkWorld, openWorld } from "./world.ts";

function opened(world: Json = bankRow["world"]!) {
  const checked = checkWorld(world);
  if (!checked.ok) throw new Error(checked.error);
  return openWorld(checked.value);
}

const effects = (list: Json, state: JsonObject = { n: 1, list: [1] }) =>
  opened({ state, effects: { act: list } });

describe("openWorld()", () => {
  it("runs calls in order, and hides keys of the state that begin with _", () => {
    const world = opened();
    expect(world.call("balance", { owner: "ada" })).toBe('{"balance":100}');
    expect(world.call("balance", { owner: "eve" })).toBe('{"error":"no account eve"}');
    expect(world.call("transfer", { from: "ada", to: "bob", amount: 30 })).toBe('{"left":70}');
    expect(world.call("transfer", { from: "ada", to: "bob", amount: 90 })).toBe(
      '{"error":"not enough money"}',
    );
    expect(world.call("close", { owner: "Cleo" })).toBe('{"open":["ada","bob"]}');
    expect(world.state()).toEqual({
      accounts: { ada: 70, bob: 50 },
      log: [{ from: "ada", to: "bob", amount: 30, number: 1 }],
    });
  });

  it("starts from the initial state each time", () => {
    opened().call("close", { owner: "ada" });
    expect(Object.keys(opened().state()["accounts"] as JsonObject)).toContain("ada");
  });

  it("returns an error for an unknown tool, and null for a tool without effects", () => {
    expect(opened().call("steal", {})).toBe('{"error":"there is no tool steal here"}');
    expect(effects([]).call("act", {})).toBe("null");
  });

  it("does not change the state if an effect fails", () => {
    const world = effects([
      { set: "state.n", to: "2" },
      { add: "state.n", value: "1" },
    ]);
    expect(world.call("act", {})).toMatch(/simulated tool failed: state\.n is no list/);
    expect(world.state()).toEqual({ n: 1, list: [1] });
  });

  it("sets and removes list elements, and copies values", () => {
    const world = effects([
      { set: "state.list[0]", to: "[args.x]" },
      { set: "state.copy", to: "state.list" },
      { remove: "state.list[0]" },
    ]);
    world.call("act", { x: 5 });
    expect(world.state()).toEqual({ n: 1, list: [], copy: [[5]] });
    expect(world.call("act", {})).toMatch(/state\.list\[0\] does not exist/);
  });

  it("limits the size of the state and of results", () => {
    const grow = effects([{ set: "state.text", to: "state.text + state.text" }], { text: "12" });
    for (let i = 0; i < 30; i++) grow.call("act", {});
    expect(grow.call("act", {})).toMatch(/too large|too long/);
    expect(JSON.stringify(grow.state()).length).toBeLessThan(100_001);
    const state = { text: "x".repeat(50_000) };
    expect(effects([{ result: "state.text" }], state).call("act", {})).toHaveLength(20_000);
  });
});

describe("checkWorld()", () => {
  it.each<[string, Json, RegExp]>([
    ["a list", [], /must be an object/],
    ["an unknown field", { state: {}, effects: {}, code: 1 }, /unknown field code/],
    ["a state that is a list", { state: [], effects: {} }, /state must be an object/],
    ["a large state", { state: { a: "x".repeat(100_001) }, effects: {} }, /more than 100000/],
    ["no effects", { state: {} }, /effects must be an object/],
    ["effects that are not a list", { effects: { a: {} } }, /effects\.a: must be a list/],
    ["an unknown effect", { effects: { a: [{ run: "1" }] } }, /effect 1: needs error, result/],
    ["a missing value", { effects: { a: [{ set: "state.a" }] } }, /to must be a text/],
    ["a surplus field", { effects: { a: [{ result: "1", to: "2" }] } }, /result has no field to/],
    ["an unreadable expression", { effects: { a: [{ result: "1 +" }] } }, /result: 1 \+: it ends/],
    ["an unreadable error", { effects: { a: [{ error: "a {1 +}" }] } }, /error: 1 \+: it ends/],
    ["a place outside the state", { effects: { a: [{ set: "args.a", to: "1" }] } }, /place in the/],
    ["both effects and classes", { state: {}, effects: {}, bfcl: [] }, /not both/],
    ["an unknown class", { state: {}, bfcl: ["WebSearch"] }, /must be a list of GorillaFile/],
    ["too many classes", { bfcl: Array(9).fill("MathAPI") }, /must be a list of GorillaFile/],
    [
      "a state that its class can't have",
      { state: { GorillaFileSystem: { root: { home: 1 } } }, bfcl: ["GorillaFileSystem"] },
      /no configuration of GorillaFileSystem: 'number' is no dict/,
    ],
  ])("refuses %s", (_, world, message) => {
    const checked = checkWorld(world);
    expect(checked.ok ? "" : checked.error).toMatch(message);
  });
});
