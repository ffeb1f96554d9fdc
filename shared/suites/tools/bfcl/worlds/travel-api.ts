import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { airports, exchanged, flightCost } from "./flight-costs.ts";
import { PythonRandom } from "./python-random.ts";
import {
  configured,
  method,
  needed,
  number,
  object,
  own,
  type Run,
  type SimulatedClass,
  structured,
  text,
} from "./simulated.ts";

/** BFCL computes a traveller's age from the clock; the simulation has a fixed day. */
const today = "2025-12-01";

const defaults: JsonObject = {
  credit_card_list: {},
  booking_record: {},
  access_token: null,
  token_type: null,
  token_expires_in: null,
  token_scope: null,
  user_first_name: null,
  user_last_name: null,
  budget_limit: null,
};

const parts = ["travel_date", "travel_from", "travel_to", "travel_class"] as const;

/** BFCL's `TravelAPI`: flights, bookings, credit cards and budgets. */
export const travelApi: SimulatedClass = (config) => {
  const state = configured(config, defaults);
  const random = new PythonRandom(number(config["random_seed"] ?? 141_053));
  const cards = () => object(state["credit_card_list"]);
  const bookings = () => object(state["booking_record"]);
  const booking = (id: Json | undefined) => {
    const its = own(bookings(), id);
    return its === undefined ? null : object(its);
  };
  const missing = { error: "Booking not found" };
  const charge = (card: JsonObject, amount: number) => {
    card["balance"] = number(card["balance"]) - amount;
  };
  const checked =
    (failure: JsonObject, run: Run): Run =>
    (args) => {
      if (state["token_expires_in"] === 0) return { ...failure, error: "Token expired" };
      if (args["access_token"] !== state["access_token"])
        return { ...failure, error: "Invalid access token" };
      return run(args);
    };
  const withToken = (names: readonly string[], failure: JsonObject, run: Run) =>
    method(["access_token", ...names], {}, checked(failure, run));
  const unbooked = (error: string) => ({ booking_status: false, error });
  const book: Run = (args) => {
    const card = own(cards(), args["card_id"]);
    if (card === undefined) return unbooked("Card not registered");
    const balance = own(object(card), "balance");
    if (balance === undefined) return unbooked("Balance not found");
    const cost = costOf(args);
    if (typeof cost === "string") return unbooked(cost);
    if (number(balance) < cost) return unbooked("Insufficient funds");
    const limit = state["budget_limit"] ?? null;
    if (limit !== null && number(balance) < number(limit))
      return unbooked("Balance is less than budget limit");
    charge(object(card), cost);
    const id = String(random.integer(1_000_000, 9_999_999));
    const transaction = String(random.integer(10_000_000, 99_999_999));
    const its = Object.fromEntries(parts.map((part) => [part, args[part] ?? null]));
    bookings()[id] = {
      card_id: args["card_id"] ?? null,
      ...its,
      travel_cost: cost,
      transaction_id: transaction,
    };
    return {
      booking_id: id,
      transaction_id: transaction,
      booking_status: true,
      booking_history: {},
    };
  };
  return {
    state,
    methods: {
      authenticate_travel: method(
        [
          "client_id",
          "client_secret",
          "refresh_token",
          "grant_type",
          "user_first_name",
          "user_last_name",
        ],
        {},
        ({
          grant_type: scope = null,
          user_first_name: first = null,
          user_last_name: last = null,
        }) => {
          const token = String(random.integer(100_000, 999_999));
          Object.assign(state, {
            token_expires_in: 2,
            access_token: token,
            token_type: "Bearer",
            token_scope: scope,
            user_first_name: first,
            user_last_name: last,
          });
          return { expires_in: 2, access_token: token, token_type: "Bearer", scope };
        },
      ),
      travel_get_login_status: method([], {}, () => ({
        status: Boolean(state["token_expires_in"]),
      })),
      get_budget_fiscal_year: method([], { lastModifiedAfter: null, includeRemoved: null }, () => ({
        budget_fiscal_year: "2018",
      })),
      register_credit_card: method(
        [
          "access_token",
          "card_number",
          "expiration_date",
          "cardholder_name",
          "card_verification_number",
        ],
        {},
        (args) => {
          if (state["token_expires_in"] === null) return { error: "Token not initialized" };
          return checked({}, ({ access_token: _, ...card }) => {
            if (own(cards(), card["card_number"]) !== undefined)
              return { error: "Card already registered" };
            const id = String(random.integer(100_000_000_000, 999_999_999_999));
            cards()[id] = { ...card, balance: random.integer(10_000, 99_999) };
            return { card_id: id };
          })(args);
        },
      ),
      get_flight_cost: method(
        ["travel_from", "travel_to", "travel_date", "travel_class"],
        {},
        (args) => {
          const [date, from, to, travelClass] = parts.map((part) => text(args[part]));
          return { travel_cost_list: [flightCost(from!, to!, date!, travelClass!)] };
        },
      ),
      get_credit_card_balance: withToken(["card_id"], {}, ({ card_id: id }) => {
        const card = own(cards(), id);
        if (card !== undefined) return { card_balance: own(object(card), "balance") ?? null };
        const known = `[${Object.keys(cards())
          .map((one) => `'${one}'`)
          .join(", ")}]`;
        return { error: `Card not registered. Here are a list of card_id's: ${known}` };
      }),
      book_flight: withToken(["card_id", ...parts], { booking_status: false }, book),
      retrieve_invoice: method(
        ["access_token"],
        { booking_id: null, insurance_id: null },
        checked({}, ({ booking_id: id = null }) => {
          const its = booking(id);
          if (its === null) return missing;
          const shown = [...parts, "travel_cost", "transaction_id"].map((part) => [
            part,
            needed(its, part),
          ]);
          return { invoice: { booking_id: id, ...Object.fromEntries(shown) } };
        }),
      ),
      get_booking_history: withToken([], {}, () => ({ booking_history: structured(bookings()) })),
      list_all_airports: method([], {}, () => Object.values(airports)),
      cancel_booking: withToken(["booking_id"], { cancel_status: false }, ({ booking_id: id }) => {
        const its = booking(id);
        if (its === null) return { cancel_status: false, ...missing };
        const card = own(cards(), its["card_id"]);
        if (card === undefined) throw new Error(`'${its["card_id"]}'`);
        charge(object(card), -number(its["travel_cost"]));
        delete bookings()[text(id)];
        return { cancel_status: true };
      }),
      compute_exchange_rate: method(
        ["base_currency", "target_currency", "value"],
        {},
        ({ base_currency: from, target_currency: to, value }) => ({
          exchanged_value: exchanged(number(value), text(from), text(to)),
        }),
      ),
      verify_traveler_information: method(
        ["first_name", "last_name", "date_of_birth", "passport_number"],
        {},
        (args) => {
          const failure = whyNot(args, [state["user_first_name"], state["user_last_name"]]);
          return failure === null
            ? { verification_status: true }
            : { verification_status: false, verification_failure: failure };
        },
      ),
      set_budget_limit: withToken(["budget_limit"], {}, ({ budget_limit: limit }) => {
        state["budget_limit"] = number(limit);
        return { budget_limit: number(limit) };
      }),
      get_nearest_airport_by_city: method(["location"], {}, ({ location }) => {
        const city = String(location);
        return { nearest_airport: Object.hasOwn(airports, city) ? airports[city]! : "Unknown" };
      }),
      purchase_insurance: withToken(
        ["insurance_type", "booking_id", "insurance_cost", "card_id"],
        { insurance_status: false },
        (args) => {
          const failed = (error: string) => ({ insurance_status: false, error });
          const limit = state["budget_limit"] ?? null;
          const cost = number(args["insurance_cost"]);
          if (limit !== null && number(limit) < cost) return failed("Exceeded budget limit");
          if (booking(args["booking_id"]) === null) return failed("Booking not found");
          const card = own(cards(), args["card_id"]);
          if (card === undefined) return failed("Credit card not registered");
          charge(object(card), cost);
          const id = String(random.integer(100_000_000, 999_999_999));
          return { insurance_id: id, insurance_status: true };
        },
      ),
      contact_customer_support: method(["booking_id", "message"], {}, ({ booking_id: id }) =>
        booking(id) === null
          ? missing
          : {
              customer_support_message:
                "Thank you for contacting customer support. Your message has been received and we will get back to you shortly.",
            },
      ),
      get_all_credit_cards: method([], {}, () => ({ credit_card_list: cards() })),
    },
  };
};

/** The cost of a flight, or an error. */
function costOf(args: JsonObject): number | string {
  const [date, from, to, travelClass] = parts.map((part) => args[part]);
  const known: Json[] = Object.values(airports);
  if (!known.includes(from ?? null)) return `Invalid departure airport code: ${from}`;
  if (!known.includes(to ?? null)) return `Invalid destination airport code: ${to}`;
  if (!isDate(text(date))) return "Invalid date format. Use YYYY-MM-DD.";
  try {
    return flightCost(text(from), text(to), text(date), text(travelClass));
  } catch (error) {
    return (error as Error).message;
  }
}

const isDate = (date: string): boolean =>
  /^\d{4}-\d{1,2}-\d{1,2}$/.test(date) && !Number.isNaN(Date.parse(date));

/** Why a traveller can't be verified; null if verified. */
function whyNot(args: JsonObject, [first, last]: (Json | undefined)[]): string | null {
  const { first_name: givenFirst, last_name: givenLast, date_of_birth: birth } = args;
  if (givenFirst !== first || givenLast !== last) {
    return `Cannot book flight information for another user.Expected ${first} ${last}, got ${givenFirst} ${givenLast}`;
  }
  if (!isDate(text(birth))) return "Invalid date of birth format. Please use YYYY-MM-DD.";
  const adult = `${Number(text(birth).slice(0, 4)) + 18}${text(birth).slice(4)}`;
  if (adult > today) return "Traveler must be at least 18 years old.";
  return text(args["passport_number"]).startsWith("US")
    ? null
    : "Passport must be issued by the United States.";
}
