import type { Json, JsonObject } from "../../../../contracts/json.ts";
import { deepEquals } from "../../../../measures/matching/deep-equals.ts";
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

const defaults: JsonObject = {
  generated_ids: [],
  user_count: 4,
  user_map: { Alice: "USR001", Bob: "USR002", Catherine: "USR003", Daniel: "USR004" },
  inbox: [
    { USR002: "My name is Alice. I want to connect." },
    { USR003: "Could you upload the file?" },
    { USR004: "Could you upload the file?" },
  ],
  message_count: 3,
  current_user: null,
};

const noUser = { error: "No user is currently logged in." };

/** BFCL's `MessageAPI`: users of a workspace and their messages. */
export const messageApi: SimulatedClass = (config) => {
  const state = configured(config, defaults);
  const random = new PythonRandom(number(config["random_seed"] ?? 200_191));
  const users = () => object(state["user_map"]);
  const inbox = () =>
    list(state["inbox"]).map((one): [string, Json] => Object.entries(object(one))[0] ?? ["", ""]);
  const isUser = (id: unknown) => Object.values(users()).some((one) => one === id);
  const whenIn = (names: readonly string[], run: Run) =>
    method(names, {}, (args) => (state["current_user"] ? run(args) : noUser));
  return {
    state,
    methods: {
      list_users: method([], {}, () => ({ user_list: Object.keys(users()) })),
      get_user_id: method(["user"], {}, ({ user }) => {
        const id = own(users(), user);
        return id === undefined
          ? { error: `User '${user}' not found in the workspace.` }
          : { user_id: id };
      }),
      message_login: method(["user_id"], {}, ({ user_id: id = null }) => {
        if (!isUser(id)) return { login_status: false, message: `User ID '${id}' not found.` };
        state["current_user"] = id;
        return { login_status: true, message: `User '${id}' logged in successfully.` };
      }),
      message_get_login_status: method([], {}, () => ({
        login_status: Boolean(state["current_user"]),
      })),
      send_message: whenIn(["receiver_id", "message"], ({ receiver_id: to, message = null }) => {
        if (!isUser(to)) return { error: `Receiver ID '${to}' not found.` };
        const ids = list(state["generated_ids"]);
        let id = random.integer(10_000, 99_999);
        while (ids.includes(id)) id = random.integer(10_000, 99_999);
        ids.push(id);
        list(state["inbox"]).push({ [text(to)]: message });
        state["message_count"] = number(state["message_count"]) + 1;
        return {
          sent_status: true,
          message_id: { new_id: id },
          message: `Message sent to '${to}' successfully.`,
        };
      }),
      delete_message: whenIn(["receiver_id"], ({ receiver_id: to = null }) => {
        const found = inbox().findLast(([receiver]) => receiver === to);
        if (found === undefined) return { error: `Receiver ID ${to} not found.` };
        // Python removes the first equal message.
        const at = inbox().findIndex((one) => deepEquals(one, found));
        list(state["inbox"]).splice(at, 1);
        return {
          deleted_status: true,
          receiver_id: to,
          message: `Receiver ${to}'s latest message deleted successfully.`,
        };
      }),
      view_messages_sent: whenIn([], () => {
        const by = Map.groupBy(inbox(), ([receiver]) => receiver);
        const messages = [...by].map(([to, all]) => [to, all.map(([, message]) => message)]);
        return { messages: Object.fromEntries(messages) as JsonObject };
      }),
      add_contact: method(["user_name"], {}, ({ user_name: name }) => {
        if (own(users(), name) !== undefined)
          return { error: `User name '${name}' already exists.` };
        const count = number(state["user_count"]) + 1;
        state["user_count"] = count;
        const id = `USR${String(count).padStart(3, "0")}`;
        if (isUser(id)) return { error: `User ID '${id}' already exists.` };
        users()[text(name)] = id;
        return {
          added_status: true,
          user_id: id,
          message: `Contact '${name}' added successfully.`,
        };
      }),
      search_messages: whenIn(["keyword"], ({ keyword }) => {
        const wanted = text(keyword).toLowerCase();
        const found = inbox().filter(([, message]) => text(message).toLowerCase().includes(wanted));
        return {
          results: found.map(([receiver_id, message]) => ({ receiver_id, message })),
        };
      }),
      get_message_stats: whenIn([], () => ({
        stats: {
          received_count: inbox().length,
          total_contacts: new Set(inbox().map(([receiver]) => receiver)).size,
        },
      })),
    },
  };
};
