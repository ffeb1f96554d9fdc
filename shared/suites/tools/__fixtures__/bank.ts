import type { JsonObject } from "../../../contracts/json.ts";
import { checkSample, type ToolsSample } from "../sample.ts";

const tool = (name: string, ...names: string[]): JsonObject => {
  const properties = Object.fromEntries(
    names.map((one) => [one, { type: one === "amount" ? "number" : "string" }]),
  );
  const parameters = { type: "object", properties, required: names };
  return { type: "function", function: { name, description: `Does ${name}.`, parameters } };
};

const said = (content: string) => [{ role: "user", content }];

/** A row with three turns at a bank; `close` is offered only in the third. */
export const bankRow: JsonObject = {
  id: "bank",
  difficulty: "hard",
  messages: [{ role: "system", content: "You work at a bank." }],
  tools: [tool("balance", "owner"), tool("transfer", "from", "to", "amount")],
  turns: [
    {
      messages: said("How much has Ada?"),
      expected_calls: [{ name: "balance", arguments: { owner: "ada" } }],
    },
    {
      messages: said("Send 30 of it to Bob."),
      expected_calls: [{ name: "transfer", arguments: { from: "ada", to: "bob", amount: 30 } }],
    },
    {
      messages: said("Close the account of Cleo."),
      tools: [tool("close", "owner")],
      expected_calls: [{ name: "close", arguments: { owner: { any_of: ["cleo", "Cleo"] } } }],
      expected_state: { accounts: { ada: 70, bob: 50 } },
    },
  ],
  world: {
    state: { accounts: { ada: 100, bob: 20, cleo: 0 }, log: [], _calls: 0 },
    effects: {
      balance: [
        { set: "state._calls", to: "state._calls + 1" },
        { if: "!has(state.accounts, args.owner)", error: "no account {args.owner}" },
        { result: "{balance: state.accounts[args.owner]}" },
      ],
      transfer: [
        { if: "args.amount > state.accounts[args.from]", error: "not enough money" },
        { set: "state.accounts[args.from]", to: "state.accounts[args.from] - args.amount" },
        { set: "state.accounts[args.to]", to: "state.accounts[args.to] + args.amount" },
        { add: "state.log", value: "{...args, number: state.log.length + 1}" },
        { result: "{left: state.accounts[args.from]}" },
      ],
      close: [
        { remove: "state.accounts[args.owner.toLowerCase()]" },
        { result: "{open: keys(state.accounts)}" },
      ],
    },
  },
  max_steps: 4,
};

/** The sample of this row with other fields in `more`. Throws if it is malformed. */
export function bankSample(more: JsonObject = {}): ToolsSample {
  const checked = checkSample({ ...bankRow, ...more });
  if (!checked.ok) throw new Error(checked.error);
  return checked.value.sample;
}
