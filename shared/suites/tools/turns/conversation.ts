import type { ChatMessage } from "../../../contracts/chat-request.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../contracts/json.ts";
import { err, ok, type Result } from "../../../contracts/result.ts";
import { mostTurnSteps, mostTurns } from "../../../contracts/submissions/submitted-answer.ts";
import { isTooDeep } from "../../../measures/json-output/nesting.ts";
import {
  type ExpectedCall,
  flawOfCalls,
  flawOfTools,
  isMessage,
  toolName,
} from "../sample-parts.ts";
import { checkWorld, openWorld, type World, type WorldSpec } from "../world/world.ts";
import { likeliestCall, stateFlaw } from "./truth.ts";

/** A turn: user messages, expected calls, and the tools that are offered from then on. */
export interface Turn {
  messages: ChatMessage[];
  tools: JsonObject[];
  calls: ExpectedCall[];
  /** Expected state after the turn, by top-level key; null: the state after the expected calls. */
  state: JsonObject | null;
}

/** A sample with several turns. */
export interface Conversation {
  /** Messages before the first turn, such as a system message. */
  opening: ChatMessage[];
  /** Tools of the first turn. */
  tools: JsonObject[];
  turns: Turn[];
  /** Null: results of calls are not simulated. */
  world: WorldSpec | null;
  /** Maximum requests of a turn, after which the conversation ends. */
  maxSteps: number;
}

/** Same as in BFCL. */
const usualSteps = 20;
/** Maximum requests of a conversation: more than any conversation needs. */
const mostRequests = 1_000;

const fields = ["id", "difficulty", "tags", "messages", "tools", "turns", "world", "max_steps"];
const turnFields = ["messages", "tools", "expected_calls", "expected_state"];

/** The fields that a row with several turns shares with other rows, and its conversation. */
interface ReadConversation {
  messages: ChatMessage[];
  tools: JsonObject[];
  expected_calls: ExpectedCall[];
  conversation: Conversation;
}

/**
 * Reads a row with `turns`: up to 50, each with messages, expected calls, and optionally further tools and an expected
 * state; also messages before the first turn, tools, and optionally `world` and `max_steps`. The error says what is
 * wrong. Never throws.
 * Source: docs/spec/tools.md, several turns.
 * @example readConversation({ turns: [] }) // { ok: false, error: "turns must be a list of 1 to 50 turns" }
 */
export function readConversation(row: JsonObject): Result<ReadConversation, string> {
  const { messages: opening = [], tools, turns: given, world = null } = row;
  const { max_steps: maxSteps = usualSteps } = row;
  const flaw = flawOfFields({ ...row, messages: opening, max_steps: maxSteps });
  if (flaw !== null) return err(flaw);
  const turns = readTurns(given as Json[]);
  if (!turns.ok) return turns;
  const simulated = world === null ? ok(null) : checkWorld(world);
  if (!simulated.ok) return simulated;
  const conversation: Conversation = {
    opening: opening as unknown as ChatMessage[],
    tools: tools as JsonObject[],
    turns: turns.value,
    world: simulated.value,
    maxSteps: maxSteps as number,
  };
  const unfit = flawOfWhole(conversation);
  return unfit === null ? ok(wholeOf(conversation)) : err(unfit);
}

function flawOfFields({ messages, tools, turns, max_steps: maxSteps, ...row }: JsonObject) {
  const unknown = Object.keys(row).find((name) => !fields.includes(name));
  if (unknown !== undefined) return `a sample with turns has no field ${unknown}`;
  if (!Array.isArray(messages) || !messages.every(isMessage))
    return "messages must be a list of {role, content}: those before the first turn";
  if (!Array.isArray(turns) || turns.length < 1 || turns.length > mostTurns)
    return `turns must be a list of 1 to ${mostTurns} turns`;
  const steps = typeof maxSteps === "number" && Number.isInteger(maxSteps) ? maxSteps : 0;
  if (steps < 1 || steps > mostTurnSteps)
    return `max_steps must be a whole number from 1 to ${mostTurnSteps}`;
  if (steps * turns.length > mostRequests)
    return `max_steps times turns must be at most ${mostRequests}`;
  return flawOfTools(tools);
}

function readTurns(given: readonly Json[]): Result<Turn[], string> {
  const turns: Turn[] = [];
  for (const [i, one] of given.entries()) {
    const turn = readTurn(one);
    if (!turn.ok) return err(`turn ${i + 1}: ${turn.error}`);
    turns.push(turn.value);
  }
  return ok(turns);
}

function readTurn(given: Json): Result<Turn, string> {
  if (!isJsonObject(given)) return err("must be an object");
  const { messages, tools = [], expected_calls: calls, expected_state: state = null } = given;
  const unknown = Object.keys(given).find((name) => !turnFields.includes(name));
  if (unknown !== undefined) return err(`a turn has no field ${unknown}`);
  if (!Array.isArray(messages) || messages.length === 0 || !messages.every(isMessage))
    return err("messages must be a list of {role, content}, with at least one");
  const flaw = flawOfTools(tools) ?? flawOfCalls(calls, "expected_calls");
  if (flaw !== null) return err(flaw);
  if (state !== null && (!isJsonObject(state) || isTooDeep(state)))
    return err("expected_state must be an object");
  return ok({
    messages: messages as unknown as ChatMessage[],
    tools: tools as JsonObject[],
    calls: calls as unknown as ExpectedCall[],
    state,
  });
}

function flawOfWhole({ tools, turns, world }: Conversation): string | null {
  const all = [...tools, ...turns.flatMap((turn) => turn.tools)];
  const flaw = flawOfTools(all);
  if (flaw !== null) return flaw;
  const offered = new Set(all.map(toolName));
  for (const [i, { calls, state }] of turns.entries()) {
    const unknown = calls.find(({ name }) => !offered.has(name));
    if (unknown)
      return `turn ${i + 1}: expected_calls names "${unknown.name}", which is not a tool of the sample`;
    if (state !== null && world === null) return `turn ${i + 1}: expected_state needs a world`;
  }
  return null;
}

function wholeOf(conversation: Conversation): ReadConversation {
  const { opening, tools, turns } = conversation;
  return {
    messages: [...opening, ...turns.flatMap((turn) => turn.messages)],
    tools: [...tools, ...turns.flatMap((turn) => turn.tools)],
    expected_calls: turns.flatMap((turn) => turn.calls),
    conversation,
  };
}

/** Maximum warnings: the first few show what is wrong with a sample. */
const mostWarnings = 10;

/**
 * Warnings about expected calls in their world: a result that is an error, a state other than the expected one, or a
 * tool that is offered only later. Linear in the calls.
 * Source: docs/spec/tools.md, several turns.
 * @example conversationWarnings(conversation) // []
 */
export function conversationWarnings({ tools, turns, world: spec }: Conversation): string[] {
  const warnings: string[] = [];
  const world = spec && openWorld(spec);
  const offered = new Set(tools.map(toolName));
  for (const [i, { tools: more, calls, state }] of turns.entries()) {
    for (const tool of more) offered.add(toolName(tool));
    warnings.push(...calls.flatMap((call) => callFlaws(call, i, offered, world)));
    const flaw = state && world && stateFlaw(state, world.state());
    if (flaw) warnings.push(`turn ${i + 1}: after the expected calls ${flaw}`);
  }
  return warnings.slice(0, mostWarnings);
}

const failed = /^(\{"error":|Error during execution)/;

/** Runs the call, and returns its warnings. */
function callFlaws(
  call: ExpectedCall,
  turn: number,
  offered: ReadonlySet<string | null>,
  world: World | null,
): string[] {
  const what = `turn ${turn + 1}, expected call ${call.name}`;
  const { name, arguments: its } = likeliestCall(call);
  const result = world?.call(name, its) ?? "";
  return [
    ...(offered.has(name) ? [] : [`${what}: the tool is offered only later`]),
    ...(failed.test(result) ? [`${what}: its result is ${result.slice(0, 200)}`] : []),
  ];
}
