import { isJsonObject, type Json } from "../contracts/json.ts";

/** A model that a provider lists. */
export interface ListedModel {
  id: string;
  /** Day of the announced shutdown, ISO 8601; null: none is announced. */
  ends: string | null;
  /** The model that the provider recommends instead. */
  replacement: string | null;
}

/** Query parameters that return the whole list in one page. Other interfaces, such as OpenAI's, have no pages. */
const wholeList: Readonly<Record<string, string>> = {
  messages: "?limit=1000",
  generate_content: "?pageSize=1000",
};

/**
 * Path and query at which an interface lists its models.
 * @example modelsPath({ protocol: "messages" }) // "/models?limit=1000"
 */
export const modelsPath = ({ protocol = "" }: { protocol?: string | undefined }): string =>
  `/models${wholeList[protocol] ?? ""}`;

/**
 * Reads a list of models: Together's (an array alone), OpenAI's (`shutdown_date`), OpenRouter's (`expiration_date`), Mistral's (`deprecation`, a time),
 * Anthropic's and Google's (without dates; Google's names begin with `models/`). Null for any other body.
 * @example readModels({ data: [{ id: "m", shutdown_date: "2027-01-06" }] })?.[0]?.ends // "2027-01-06"
 */
export function readModels(body: unknown): ListedModel[] | null {
  const list = isJsonObject(body) ? (body["data"] ?? body["models"]) : body;
  if (!Array.isArray(list)) return null;
  return list.filter(isJsonObject).flatMap((model) => {
    const id = textOf(model["id"] ?? model["name"])?.replace(/^models\//, "");
    if (id === undefined) return [];
    const ends = model["shutdown_date"] ?? model["expiration_date"] ?? model["deprecation"];
    const day = /^\d{4}-\d{2}-\d{2}/.exec(textOf(ends) ?? "")?.[0] ?? null;
    return [{ id, ends: day, replacement: textOf(model["deprecation_replacement_model"]) ?? null }];
  });
}

const textOf = (value: Json | undefined) =>
  typeof value === "string" && value !== "" ? value : undefined;
