import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../contracts/json.ts";
import { bfclClasses } from "./classes.ts";
import { PythonRandom } from "./python-random.ts";
import { calledMethodOf } from "./simulated.ts";

describe("PythonRandom", () => {
  it("returns the same numbers as CPython 3", () => {
    const dice = new PythonRandom(42);
    expect(Array.from({ length: 5 }, () => dice.integer(1, 6))).toEqual([6, 1, 1, 6, 3]);
    const shares = new PythonRandom(42);
    expect([shares.share(), shares.share()]).toEqual([0.6394267984578837, 0.025010755222666936]);
    expect(new PythonRandom(141_053).integer(100_000_000_000, 999_999_999_999)).toBe(
      262_919_693_687,
    );
    expect(new PythonRandom(2 ** 40 + 7).uniform(-10, 40)).toBe(20.685188899682554);
  });
});

type Call = [call: string, args: JsonObject, result: string | RegExp];

/** Makes the calls in order, checks their results, and returns the final public state. */
function played(name: string, config: JsonObject, calls: Call[]) {
  const instance = bfclClasses[name]!(config);
  for (const [call, args, result] of calls) {
    const returned = calledMethodOf(instance, call, args);
    if (typeof result === "string") expect([call, returned]).toEqual([call, result]);
    else expect(returned).toMatch(result);
  }
  return instance.state;
}

const folder = (contents: JsonObject) => ({ type: "directory", contents });
const file = (content: string) => ({ type: "file", content });
const tree = {
  root: { home: folder({ notes: folder({ "b.txt": file("two\none\n") }), "a.txt": file("é") }) },
};

describe("bfclClasses", () => {
  it("simulates files and folders", () => {
    const state = played("GorillaFileSystem", tree, [
      ["pwd", {}, '{"current_working_directory":"/home"}'],
      ["ls", {}, '{"current_directory_content":["notes","a.txt"]}'],
      ["cd", { folder: "notes/x" }, /Unsupported path/],
      ["cd", { folder: "none" }, /No such file or directory/],
      ["cd", { folder: ".." }, /already the root/],
      ["du", { human_readable: true }, '{"disk_usage":"10.00 B"}'],
      ["find", { name: "txt" }, '{"matches":["./notes/b.txt","./a.txt"]}'],
      ["cd", { folder: "notes" }, '{"current_working_directory":"notes"}'],
      ["sort", { file_name: "b.txt" }, '{"sorted_content":"one\\ntwo"}'],
      ["wc", { file_name: "b.txt" }, '{"count":2,"type":"lines"}'],
      ["wc", { file_name: "b.txt", mode: "c" }, '{"count":8,"type":"characters"}'],
      ["tail", { file_name: "b.txt", lines: 1 }, '{"last_lines":"one"}'],
      ["grep", { file_name: "b.txt", pattern: "o" }, '{"matching_lines":["two","one"]}'],
      ["touch", { file_name: "c" }, "None"],
      ["echo", { content: "two\nten", file_name: "c" }, "None"],
      ["diff", { file_name1: "b.txt", file_name2: "c" }, '{"diff_lines":"- one\\n+ ten"}'],
      ["mkdir", { dir_name: "old" }, "None"],
      ["mv", { source: "c", destination: "old" }, "{\"result\":\"'c' moved to 'old/c'\"}"],
      ["cp", { source: "b.txt", destination: "d" }, "{\"result\":\"'b.txt' copied to 'd'\"}"],
      ["rmdir", { dir_name: "old" }, /Directory not empty/],
      ["rm", { file_name: "b.txt" }, '{"result":"\'b.txt\' removed"}'],
      ["cat", { file_name: "old" }, /Is a directory/],
      ["ls", { all: true }, /unexpected keyword argument 'all'/],
      ["cd", {}, /missing required argument: 'folder'/],
      ["cd", { folder: 5 }, /^Error during execution/],
    ]);
    const notes = { d: "two\none\n", old: { c: "two\nten" } };
    expect(state).toEqual({ root: { name: "home", contents: { notes, "a.txt": "é" } } });
  });

  it("copies whole folders, moves no folder into itself, and limits size and depth of a tree", () => {
    const config = { root: { home: folder({ d: folder({ in: folder({}), f: file("x") }) }) } };
    const state = played("GorillaFileSystem", config, [
      ["cp", { source: "d", destination: "e" }, /copied/],
      ["mv", { source: "e", destination: "e" }, /to a subdirectory of itself, 'e\/e'/],
      ["cd", { folder: "d" }, /"d"/],
      ["cp", { source: "in", destination: "in" }, /copied to 'in\/in'/],
      ["cd", { folder: ".." }, "{}"],
    ]);
    const contents = { d: { in: { in: {} }, f: "x" }, e: { in: {}, f: "x" } };
    expect(state).toEqual({ root: { name: "home", contents } });

    const doubling = bfclClasses["GorillaFileSystem"]!(config);
    const results = Array.from({ length: 40 }, (_, i) => i).flatMap((i) => {
      calledMethodOf(doubling, "mkdir", { dir_name: `${i}` });
      calledMethodOf(doubling, "cp", { source: "d", destination: `${i}` });
      calledMethodOf(doubling, "mv", { source: `${i}`, destination: "d" });
      return [calledMethodOf(doubling, "find", { name: "f" })];
    });
    expect(results.at(-1)).toBe("Error during execution: it computes too much");
    expect(JSON.stringify(doubling.state).length).toBeLessThan(4_000_000);

    const nesting = bfclClasses["GorillaFileSystem"]!(config);
    const nested = Array.from({ length: 120 }, () => {
      calledMethodOf(nesting, "mkdir", { dir_name: "n" });
      return calledMethodOf(nesting, "cd", { folder: "n" });
    });
    expect(nested[90]).toBe('{"current_working_directory":"n"}');
    expect(nested[119]).toContain("No such file or directory");
    const moved = Array.from({ length: 120 }, (_, i) => {
      const [inner, outer] = [`${i}`, `${i + 1}`];
      calledMethodOf(nesting, "cd", { folder: "/" });
      if (i === 0) calledMethodOf(nesting, "mkdir", { dir_name: inner });
      calledMethodOf(nesting, "mkdir", { dir_name: outer });
      return calledMethodOf(nesting, "mv", { source: inner, destination: outer });
    });
    expect(moved[90]).toContain("moved");
    expect(moved.join()).toContain("folders are nested deeper than 100");
  });

  it("simulates the math API", () => {
    played("MathAPI", {}, [
      ["mean", { numbers: [1, 2, 6] }, '{"result":3}'],
      ["standard_deviation", { numbers: [1, 3] }, '{"result":1}'],
      ["round_number", { number: 2.5 }, '{"result":2}'],
      ["round_number", { number: 2.345, decimal_places: 2 }, '{"result":2.35}'],
      ["divide", { a: 1, b: 0 }, '{"error":"Cannot divide by zero"}'],
      ["si_unit_conversion", { value: 2, unit_in: "km", unit_out: "m" }, '{"result":2000}'],
      ["imperial_si_conversion", { value: 1, unit_in: "x", unit_out: "m" }, /not supported/],
      ["logarithm", { value: 8, base: 2, precision: 5 }, "{'result': mpf('3.0')}"],
    ]);
  });

  it("sends messages with the ids that BFCL draws, and deletes the latest one", () => {
    const state = played("MessageAPI", {}, [
      ["send_message", { receiver_id: "USR002", message: "Hi" }, /No user is currently/],
      ["message_login", { user_id: "USR001" }, /logged in successfully/],
      ["add_contact", { user_name: "Eve" }, /"user_id":"USR005"/],
      ["send_message", { receiver_id: "USR005", message: "Hi" }, /"new_id":67410/],
      [
        "search_messages",
        { keyword: "HI" },
        '{"results":[{"receiver_id":"USR005","message":"Hi"}]}',
      ],
      ["delete_message", { receiver_id: "USR005" }, /deleted successfully/],
      ["get_message_stats", {}, '{"stats":{"received_count":3,"total_contacts":3}}'],
    ]);
    expect(state["message_count"]).toBe(4);
  });

  it("simulates tickets", () => {
    const state = played("TicketAPI", {}, [
      ["create_ticket", { title: "T" }, /not authenticated/],
      ["ticket_login", { username: "u", password: "p" }, '{"success":true}'],
      ["create_ticket", { title: "T", priority: 6 }, /Invalid priority/],
      ["create_ticket", { title: "T" }, /"id":1,"title":"T","description":"","status":"Open"/],
      ["edit_ticket", { ticket_id: 1, updates: { id: 2 } }, /Invalid fields for update: id/],
      ["resolve_ticket", { ticket_id: 1, resolution: "R" }, /resolved successfully/],
      ["close_ticket", { ticket_id: 2 }, /not found/],
      ["get_user_tickets", { status: "resolved" }, /"resolution":"R"/],
    ]);
    expect(state["ticket_counter"]).toBe(2);
  });

  it("simulates posts, and refuses texts as ids", () => {
    const config = { authenticated: true, username: "u", tweet_counter: 7 };
    const state = played("TwitterAPI", config, [
      ["post_tweet", { content: "Hi", tags: ["#a"] }, /"id":7/],
      ["comment", { tweet_id: 7, comment_content: "Yes" }, /added successfully/],
      ["comment", { tweet_id: "7", comment_content: "Yes" }, /not found/],
      ["retweet", { tweet_id: 7 }, /Successfully/],
      ["retweet", { tweet_id: 7 }, /Already/],
      ["mention", { tweet_id: 7, mentioned_usernames: ["@b"] }, /successfully/],
      ["search_tweets", { keyword: "#A" }, /"mentions":\["@b"\]/],
      ["unfollow_user", { username_to_unfollow: "bob" }, '{"unfollow_status":true}'],
      [
        "get_user_stats",
        { username: "u" },
        '{"tweet_count":1,"following_count":1,"retweet_count":1}',
      ],
    ]);
    expect(state["following_list"]).toEqual(["alice"]);
  });

  it("simulates trading with the times that BFCL draws", () => {
    const state = played("TradingBot", { authenticated: true }, [
      ["update_market_status", { current_time_str: "10:30 AM" }, '{"status":"Open"}'],
      ["update_market_status", { current_time_str: "later" }, /does not match format/],
      [
        "place_order",
        { order_type: "Buy", symbol: "AAPL", price: 5, amount: 2 },
        /"order_id":12446/,
      ],
      ["cancel_order", { order_id: 12345 }, /already completed/],
      ["withdraw_funds", { amount: 1000 }, '{"status":"Withdrawal successful","new_balance":9000}'],
      [
        "get_transaction_history",
        { start_date: "2024-09-01" },
        /"timestamp":"2024-09-02 05:40:15"/,
      ],
      ["add_to_watchlist", { stock: "ZETA" }, '{"watchlist":["NVDA","ZETA"]}'],
      ["notify_price_change", { stocks: ["NVDA", "ZETA"], threshold: 0.3 }, /Stocks NVDA have/],
      [
        "filter_stocks_by_price",
        { stocks: ["ZETA", "X"], min_price: 1, max_price: 30 },
        '{"filtered_stocks":["ZETA"]}',
      ],
    ]);
    expect(state["order_counter"]).toBe(12_447);
  });

  it("books flights with the ids that BFCL draws", () => {
    const config = { access_token: "t", credit_card_list: { c: { balance: 1000 } } };
    const flight = { travel_date: "2024-10-10", travel_from: "SFO", travel_to: "LAX" };
    const booking = { access_token: "t", card_id: "c", ...flight };
    const state = played("TravelAPI", config, [
      ["get_flight_cost", { ...flight, travel_class: "economy" }, '{"travel_cost_list":[400]}'],
      ["book_flight", { ...booking, travel_class: "first" }, /Insufficient funds/],
      ["book_flight", { ...booking, travel_class: "economy" }, /"booking_id":"3426812"/],
      ["retrieve_invoice", { access_token: "t", booking_id: "3426812" }, /"travel_cost":400/],
      ["cancel_booking", { access_token: "x", booking_id: "3426812" }, /Invalid access token/],
      ["cancel_booking", { access_token: "t", booking_id: "3426812" }, '{"cancel_status":true}'],
      [
        "compute_exchange_rate",
        { base_currency: "USD", target_currency: "RMB", value: 2 },
        '{"exchanged_value":14}',
      ],
      ["get_nearest_airport_by_city", { location: "Rome" }, '{"nearest_airport":"CIA"}'],
    ]);
    expect(state["credit_card_list"]).toEqual({ c: { balance: 1000 } });
  });

  it("simulates a vehicle", () => {
    const state = played("VehicleControlAPI", { fuelLevel: 5 }, [
      ["startEngine", { ignitionMode: "START" }, /doors must be locked.*driver, passenger/],
      [
        "lockDoors",
        { unlock: false, door: ["driver", "passenger", "rear_left", "rear_right"] },
        /"remainingUnlockedDoors":0/,
      ],
      ["pressBrakePedal", { pedalPosition: 0.5 }, /"brakePedalForce":500/],
      ["startEngine", { ignitionMode: "START" }, /press the brake fully/],
      ["pressBrakePedal", { pedalPosition: 1 }, /"brakePedalForce":1000/],
      [
        "startEngine",
        { ignitionMode: "START" },
        '{"engineState":"running","fuelLevel":5,"batteryVoltage":12.6}',
      ],
      ["fillFuelTank", { fuelAmount: 50 }, /above the tank capacity/],
      [
        "setCruiseControl",
        { speed: 62, activate: true, distanceToNextVehicle: 100 },
        /Invalid speed/,
      ],
      ["activateParkingBrake", { mode: "engage" }, /"parkingBrakeStatus":"engaged"/],
      ["estimate_distance", { cityA: "83214", cityB: "74532" }, '{"distance":750}'],
      [
        "adjustClimateControl",
        { temperature: 50, unit: "fahrenheit" },
        /"currentACTemperature":50/,
      ],
      ["displayCarStatus", { option: "climate" }, /"currentACTemperature":10,/],
    ]);
    expect(state).not.toHaveProperty("brakePedalForce");
  });
});
