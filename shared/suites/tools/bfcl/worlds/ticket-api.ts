import type { Json, JsonObject } from "../../../../contracts/json.ts";
import {
  configured,
  list,
  method,
  needed,
  number,
  object,
  type SimulatedClass,
  text,
} from "./simulated.ts";

const editable: readonly string[] = ["title", "description", "status", "priority"];

/** BFCL's `TicketAPI`: a queue of support tickets. */
export const ticketApi: SimulatedClass = (config) => {
  const state = configured(config, { ticket_queue: [], ticket_counter: 1, current_user: null });
  const queue = () => list(state["ticket_queue"]).map(object);
  const ticketOf = (id: Json | undefined) => queue().find((one) => needed(one, "id") === id);
  const missing = (id: Json | undefined) => ({ error: `Ticket with ID ${id} not found.` });
  const isIn = () => Boolean(state["current_user"]);
  const ended = (status: string, word: string) =>
    method(
      status === "Closed" ? ["ticket_id"] : ["ticket_id", "resolution"],
      {},
      ({ ticket_id: id, resolution }) => {
        const ticket = ticketOf(id);
        if (ticket === undefined) return missing(id);
        if (ticket["status"] === status)
          return { error: `Ticket with ID ${id} is already ${word}.` };
        Object.assign(ticket, { status, ...(status === "Resolved" && { resolution }) });
        return { status: `Ticket ${id} has been ${word} successfully.` };
      },
    );
  return {
    state,
    methods: {
      create_ticket: method(["title"], { description: "", priority: 1 }, (args) => {
        if (!isIn()) return { error: "User not authenticated. Please log in to create a ticket." };
        const { title, description, priority } = args;
        if (number(priority) < 1 || number(priority) > 5) {
          return { error: "Invalid priority. Priority must be between 1 and 5." };
        }
        const id = number(state["ticket_counter"]);
        const ticket = { id, title, description, status: "Open", priority } as JsonObject;
        ticket["created_by"] = state["current_user"] ?? null;
        list(state["ticket_queue"]).push(ticket);
        state["ticket_counter"] = id + 1;
        return ticket;
      }),
      get_ticket: method(["ticket_id"], {}, ({ ticket_id: id }) => ticketOf(id) ?? missing(id)),
      close_ticket: ended("Closed", "closed"),
      resolve_ticket: ended("Resolved", "resolved"),
      edit_ticket: method(["ticket_id", "updates"], {}, ({ ticket_id: id, updates }) => {
        const ticket = ticketOf(id);
        if (ticket === undefined) return missing(id);
        const entries = Object.entries(object(updates));
        const wrong = entries.flatMap(([key]) => (editable.includes(key) ? [] : [key]));
        if (wrong.length > 0) return { error: `Invalid fields for update: ${wrong.join(", ")}` };
        Object.assign(ticket, Object.fromEntries(entries.filter(([, value]) => value !== null)));
        return { status: `Ticket ${id} has been updated successfully.` };
      }),
      ticket_login: method(["username", "password"], {}, ({ username, password }) => {
        if (!username || !password) return { success: false };
        state["current_user"] = username;
        return { success: true };
      }),
      ticket_get_login_status: method([], {}, () => ({ login_status: isIn() })),
      logout: method([], {}, () => {
        const success = isIn();
        if (success) state["current_user"] = null;
        return { success };
      }),
      get_user_tickets: method([], { status: null }, ({ status }) => {
        if (!isIn()) return [{ error: "User not authenticated. Please log in to view tickets." }];
        const own = queue().filter((one) => needed(one, "created_by") === state["current_user"]);
        const wanted = status ? text(status).toLowerCase() : null;
        return own.filter((one) => wanted === null || text(one["status"]).toLowerCase() === wanted);
      }),
    },
  };
};
