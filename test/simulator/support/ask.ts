import OpenAI from "openai";
import type { Json } from "../../../shared/contracts/json.ts";
import type { LogEntry } from "../../../simulator/request-log.ts";
import type { Simulator } from "../../../simulator/start-simulator.ts";
import { type ExtractionRow, firstRow } from "./rows.ts";

type ChatBody = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** A chat request about a sample, with the stock prompt. */
export function aChat(model: string, row: ExtractionRow = firstRow): ChatBody {
  const schema = JSON.stringify(row.schema, null, 2);
  const content = `Text:\n${row.text}\n\nExtract information according to this JSON schema:\n${schema}\n\nOutput valid JSON matching the schema exactly.`;
  return { model, temperature: 0, messages: [{ role: "user", content }] };
}

/** The structured-output mode `json_schema` for a schema. */
export function jsonSchemaFormat(schema: Json, strict: boolean) {
  const json_schema = {
    name: "extraction_result",
    schema: schema as Record<string, unknown>,
    strict,
  };
  return { response_format: { type: "json_schema" as const, json_schema } };
}

/** An OpenAI client that asks the simulator once, without retries. */
export function aClient({ baseUrl }: Simulator, apiKey = "sk-test"): OpenAI {
  return new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 });
}

/** The parts of JSON answers that tests read. */
interface AnswerJson {
  choices: { message: { content: string | null; refusal: string | null } }[] | null;
  error: { message: string; code: string | null };
  data: { id: string }[];
  entries: LogEntry[];
}

/** Reads an answer's JSON. */
export async function readJson(answer: Response | Promise<Response>): Promise<AnswerJson> {
  return (await (await answer).json()) as AnswerJson;
}

/** Posts a body without following redirects. */
export function post(
  { baseUrl }: Simulator,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/chat/completions",
): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer sk-test", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    redirect: "manual",
  });
}
