import { isJsonObject, type Json, type JsonObject } from "../../../../contracts/json.ts";
import { PythonRandom } from "./python-random.ts";
import {
  configured,
  list,
  method,
  number,
  object,
  own,
  type Run,
  type SimulatedClass,
  text,
} from "./simulated.ts";

/** The simulation's fixed time. */
const nowMs = Date.UTC(2024, 8, 1, 10, 30);
const daySeconds = 86_400;

const stock = (price: number, change: number, volume: number, ma5: number, ma20: number) => ({
  price,
  percent_change: change,
  volume,
  "MA(5)": ma5,
  "MA(20)": ma20,
});

const defaults: JsonObject = {
  orders: {
    12345: {
      id: 12345,
      order_type: "Buy",
      symbol: "AAPL",
      price: 210.65,
      amount: 10,
      status: "Completed",
    },
    12446: {
      id: 12446,
      order_type: "Sell",
      symbol: "GOOG",
      price: 2840.56,
      amount: 5,
      status: "Pending",
    },
  },
  account_info: { account_id: 12345, balance: 10_000, binding_card: 1974202140965533 },
  authenticated: false,
  market_status: "Closed",
  order_counter: 12446,
  stocks: {
    AAPL: stock(227.16, 0.17, 2.552, 227.11, 227.09),
    GOOG: stock(2840.34, 0.24, 1.123, 2835.67, 2842.15),
    TSLA: stock(667.92, -0.12, 1.654, 671.15, 668.2),
    MSFT: stock(310.23, 0.09, 3.234, 309.88, 310.11),
    NVDA: stock(220.34, 0.34, 1.234, 220.45, 220.67),
    ALPH: stock(1320.45, -0.08, 1.567, 1321.12, 1325.78),
    OMEG: stock(457.23, 0.12, 2.345, 456.78, 458.12),
    QUAS: stock(725.89, -0.03, 1.789, 726.45, 728),
    NEPT: stock(88.34, 0.19, 0.654, 88.21, 88.67),
    SYNX: stock(345.67, 0.11, 2.112, 345.34, 346.12),
    ZETA: stock(22.09, -0.05, 0.789, 22.12, 22.34),
  },
  watch_list: ["NVDA"],
  transaction_history: [],
};

const symbols: JsonObject = {
  Apple: "AAPL",
  Google: "GOOG",
  Tesla: "TSLA",
  Microsoft: "MSFT",
  Nvidia: "NVDA",
  "Zeta Corp": "ZETA",
  "Alpha Tech": "ALPH",
  "Omega Industries": "OMEG",
  "Quasar Ltd.": "QUAS",
  "Neptune Systems": "NEPT",
  "Synex Solutions": "SYNX",
  Amazon: "AMZN",
  Gorilla: "GORI",
};

const sectors: JsonObject = {
  Technology: ["AAPL", "GOOG", "MSFT", "NVDA"],
  Automobile: ["TSLA", "F", "GM"],
};

/** BFCL's `TradingBot`: an account, orders, stocks and a watch list. */
export const tradingBot: SimulatedClass = (config) => {
  const state = configured(config, defaults);
  const random = new PythonRandom(number(config["random_seed"] ?? 1_053_520));
  const orders = () => object(state["orders"]);
  const stocks = () => object(state["stocks"]);
  const account = () => object(state["account_info"]);
  const watched = () => list(state["watch_list"]);
  const whenIn = (names: readonly string[], doing: string, run: Run) =>
    method(names, {}, (args) =>
      state["authenticated"]
        ? run(args)
        : { error: `User not authenticated. Please log in to ${doing}.` },
    );
  const transact = (type: "deposit" | "withdrawal", amount: number): number => {
    const balance = number(account()["balance"]) + (type === "deposit" ? amount : -amount);
    account()["balance"] = balance;
    const at = new Date(nowMs + 1000 * random.integer(0, daySeconds));
    const timestamp = at.toISOString().slice(0, 19).replace("T", " ");
    list(state["transaction_history"]).push({ type, amount, timestamp });
    return balance;
  };
  const setStatus = (status: string) => {
    state["market_status"] = status;
    return { status };
  };
  // Ids are numbers; a text is not an id.
  const orderOf = (id: Json | undefined) => {
    const its = typeof id === "number" ? own(orders(), id) : undefined;
    return its === undefined ? null : object(its);
  };
  return {
    state,
    methods: {
      get_current_time: method([], {}, () => ({ current_time: "10:30 AM" })),
      update_market_status: method(["current_time_str"], {}, ({ current_time_str: time }) => {
        const minutes = minutesOf(text(time));
        return setStatus(minutes >= 570 && minutes <= 960 ? "Open" : "Closed");
      }),
      get_symbol_by_name: method(["name"], {}, ({ name }) => ({
        symbol: own(symbols, name) ?? "Stock not found",
      })),
      get_stock_info: method(["symbol"], {}, ({ symbol }) => {
        const its = own(stocks(), symbol);
        return its ?? { error: `Stock with symbol '${symbol}' not found.` };
      }),
      get_order_details: method(["order_id"], {}, ({ order_id: id }) => {
        const known = `[${Object.keys(orders()).join(", ")}]`;
        const missing = `Order with ID ${id} not found.Here is the list of orders_id: ${known}`;
        return orderOf(id) ?? { error: missing };
      }),
      cancel_order: method(["order_id"], {}, ({ order_id: id = null }) => {
        const order = orderOf(id);
        if (order === null) return { error: `Order with ID ${id} not found.` };
        if (order["status"] === "Completed")
          return { error: `Can't cancel order ${id}. Order is already completed.` };
        order["status"] = "Cancelled";
        return { order_id: id, status: "Cancelled" };
      }),
      place_order: whenIn(
        ["order_type", "symbol", "price", "amount"],
        "place an order",
        ({ order_type: type = null, symbol = null, price, amount }) => {
          if (own(stocks(), symbol) === undefined)
            return { error: `Invalid stock symbol: ${symbol}` };
          const its = { price: number(price), amount: number(amount) };
          if (its.price <= 0 || its.amount <= 0)
            return { error: "Price and amount must be positive values." };
          const cost = its.price * Math.trunc(its.amount);
          const balance = number(account()["balance"] ?? 0);
          if (text(type).toLowerCase() === "buy" && cost > balance) {
            const only = `only $${balance.toFixed(2)} available.`;
            return { error: `Insufficient funds: required $${cost.toFixed(2)} but ${only}` };
          }
          const id = number(state["order_counter"]);
          orders()[id] = { id, order_type: type, symbol, ...its, status: "Open" };
          state["order_counter"] = id + 1;
          return { order_id: id, order_type: type, status: "Pending", ...its };
        },
      ),
      withdraw_funds: whenIn(["amount"], "make a transaction", ({ amount }) => {
        if (state["market_status"] !== "Open")
          return { error: "Market is closed. Transactions are not allowed." };
        if (number(amount) <= 0) return { error: "Transaction amount must be positive." };
        if (number(amount) > number(account()["balance"]))
          return { error: "Insufficient funds for withdrawal." };
        const balance = transact("withdrawal", number(amount));
        return { status: "Withdrawal successful", new_balance: balance };
      }),
      get_account_info: whenIn([], "view account information", () => account()),
      trading_login: method(["username", "password"], {}, () => {
        if (state["authenticated"]) return { status: "Already logged in" };
        state["authenticated"] = true;
        return { status: "Logged in successfully" };
      }),
      trading_get_login_status: method([], {}, () => ({ status: Boolean(state["authenticated"]) })),
      trading_logout: method([], {}, () => {
        if (!state["authenticated"]) return { status: "No user is currently logged in" };
        state["authenticated"] = false;
        return { status: "Logged out successfully" };
      }),
      fund_account: whenIn(["amount"], "fund the account", ({ amount }) => {
        if (number(amount) <= 0) return { error: "Funding amount must be positive." };
        const balance = transact("deposit", number(amount));
        return { status: "Account funded successfully", new_balance: balance };
      }),
      remove_stock_from_watchlist: whenIn(
        ["symbol"],
        "modify the watchlist",
        ({ symbol = null }) => {
          const at = watched().indexOf(symbol);
          if (at < 0) return { error: `Stock ${symbol} not found in watchlist.` };
          watched().splice(at, 1);
          return { status: `Stock ${symbol} removed from watchlist successfully.` };
        },
      ),
      get_watchlist: method([], {}, () =>
        state["authenticated"]
          ? { watchlist: watched() }
          : ["Error: User not authenticated. Please log in to view the watchlist."],
      ),
      get_order_history: method([], {}, () =>
        state["authenticated"]
          ? { history: Object.keys(orders()).map((id) => (/^\d+$/.test(id) ? Number(id) : id)) }
          : [{ error: "User not authenticated. Please log in to view order history." }],
      ),
      get_transaction_history: method([], { start_date: null, end_date: null }, (args) => {
        if (!state["authenticated"])
          return [{ error: "User not authenticated. Please log in to view transaction history." }];
        const { start_date: start, end_date: end } = args;
        const [from, to] = [start ? dateOf(start) : "", end ? dateOf(end) : "~"];
        const history = list(state["transaction_history"]).filter((one) => {
          const at = text(object(one)["timestamp"]);
          return from <= at && at <= to;
        });
        return { transaction_history: history };
      }),
      get_available_stocks: method(["sector"], {}, ({ sector }) => ({
        stock_list: own(sectors, sector) ?? [],
      })),
      filter_stocks_by_price: method(["stocks", "min_price", "max_price"], {}, (args) => {
        const price = (symbol: Json) => number(object(own(stocks(), symbol) ?? {})["price"] ?? 0);
        const [low, high] = [number(args["min_price"]), number(args["max_price"])];
        const kept = list(args["stocks"]).filter((one) => price(one) >= low && price(one) <= high);
        return { filtered_stocks: kept };
      }),
      add_to_watchlist: method(["stock"], {}, ({ stock: symbol = null }) => {
        const isKnown = own(stocks(), symbol) !== undefined;
        if (isKnown && !watched().includes(symbol)) watched().push(symbol);
        return { watchlist: watched() };
      }),
      notify_price_change: method(["stocks", "threshold"], {}, ({ stocks: given, threshold }) => {
        const changed = list(given).filter((symbol) => {
          const its = own(stocks(), symbol);
          const change = isJsonObject(its) ? number(its["percent_change"]) : 0;
          return its !== undefined && Math.abs(change) >= number(threshold);
        });
        const notification =
          changed.length > 0
            ? `Stocks ${changed.join(", ")} have significant price changes.`
            : "No significant price changes in the selected stocks.";
        return { notification };
      }),
    },
  };
};

function minutesOf(time: string): number {
  const [, hour = "", minute = "", half = ""] = /^(\d{1,2}):(\d{2}) (AM|PM)$/i.exec(time) ?? [];
  const hours = Number(hour);
  if (half === "" || hours < 1 || hours > 12 || Number(minute) > 59)
    throw new Error(`time data '${time}' does not match format '%I:%M %p'`);
  return ((hours % 12) + (half.toUpperCase() === "PM" ? 12 : 0)) * 60 + Number(minute);
}

/** The start of a day, in the format of timestamps. */
function dateOf(date: Json): string {
  const day = text(date);
  if (!/^\d{4}-\d{1,2}-\d{1,2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new Error(`time data '${day}' does not match format '%Y-%m-%d'`);
  return `${new Date(Date.parse(day)).toISOString().slice(0, 10)} 00:00:00`;
}
