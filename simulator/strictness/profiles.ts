import { isJsonObject, type Json } from "../../shared/contracts/json.ts";
import { type ApiError, apiError } from "../api-error.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { strictSchemaFault } from "./strict-schema.ts";

/** Why an endpoint refuses a request; null if it accepts it. */
type Profile = (request: ParsedChat) => ApiError | null;

/** Parameters that only vLLM accepts. Source: https://docs.vllm.ai/en/latest/features/structured_outputs.html */
const guidedParameters = ["guided_json", "structured_outputs"] as const;

/** Parameters that reasoning models refuse. Source: https://platform.openai.com/docs/guides/reasoning */
const notReasoning = ["top_p", "presence_penalty", "frequency_penalty", "logprobs"] as const;

const profiles = {
  "openai-strict": refuseAsOpenai,
  reasoning: (request) => refuseAsReasoning(request) ?? refuseAsOpenai(request),
  basic: refuseAsBasic,
  vllm: refuseCommon,
} satisfies Record<string, Profile>;

/** The name of a profile. */
export type ProfileName = keyof typeof profiles;

/** Every profile. */
export const profileNames = Object.keys(profiles) as ProfileName[];

/** Properties that decide whether a request is accepted: the endpoint's profile, and whether the model accepts recordings. */
interface Accepting {
  profile: ProfileName;
  hears?: true;
}

/** Why the model's endpoint refuses the request (400); null if it accepts it. */
export function refuseRequest({ profile, hears }: Accepting, request: ParsedChat): ApiError | null {
  if (request.audio.length > 0 && hears !== true) {
    return apiError(400, "This model does not support audio input.", { param: "messages" });
  }
  return profiles[profile](request);
}

function refuseCommon({ body }: ParsedChat): ApiError | null {
  const { n, temperature, response_format: format } = body;
  if (n !== undefined && n !== 1) return badValue("n", "only one choice is offered");
  if (typeof temperature === "number" && (temperature < 0 || temperature > 2)) {
    return badValue("temperature", "it must be between 0 and 2");
  }
  if (!isJsonObject(format) || format.type !== "json_schema") return null;
  const wrapper = format.json_schema;
  if (!isJsonObject(wrapper) || !/^[a-zA-Z0-9_-]{1,64}$/.test(String(wrapper.name ?? ""))) {
    return badValue("response_format.json_schema.name", "it must match '^[a-zA-Z0-9_-]{1,64}$'");
  }
  return null;
}

function refuseAsOpenai(request: ParsedChat): ApiError | null {
  const guided = guidedParameters.find((name) => request.body[name] !== undefined);
  if (guided !== undefined) {
    return apiError(400, `Unknown parameter: '${guided}'.`, {
      param: guided,
      code: "unknown_parameter",
    });
  }
  return refuseCommon(request) ?? refuseFormat(request);
}

function refuseFormat({ body, messages }: ParsedChat): ApiError | null {
  const format = body.response_format;
  if (!isJsonObject(format)) return null;
  if (format.type === "json_object" && !messages.some(({ text }) => /json/i.test(text))) {
    return apiError(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: "messages" },
    );
  }
  const wrapper = isJsonObject(format.json_schema) ? format.json_schema : {};
  if (format.type !== "json_schema" || wrapper.strict !== true) return null;
  const fault = strictSchemaFault(wrapper.schema);
  if (fault === null) return null;
  return apiError(400, `Invalid schema for response_format '${wrapper.name}': ${fault}`, {
    param: "response_format",
  });
}

function refuseAsReasoning({ body }: ParsedChat): ApiError | null {
  if (body.max_tokens !== undefined) {
    return unsupportedParameter("max_tokens", " Use 'max_completion_tokens' instead.");
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    return apiError(
      400,
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      { param: "temperature", code: "unsupported_value" },
    );
  }
  const refused = notReasoning.find((name) => isSet(body[name]));
  return refused === undefined ? null : unsupportedParameter(refused, "");
}

function refuseAsBasic(request: ParsedChat): ApiError | null {
  const { body } = request;
  const guided = guidedParameters.find((name) => body[name] !== undefined);
  if (guided !== undefined)
    return apiError(400, `Unrecognized request argument supplied: ${guided}`);
  const type = isJsonObject(body.response_format) ? body.response_format.type : "text";
  if (type !== "text" && type !== "json_object") {
    return apiError(400, `response_format type not supported: '${type}'`, {
      param: "response_format",
    });
  }
  return refuseCommon(request);
}

function unsupportedParameter(name: string, advice: string): ApiError {
  const message = `Unsupported parameter: '${name}' is not supported with this model.${advice}`;
  return apiError(400, message, { param: name, code: "unsupported_parameter" });
}

function badValue(name: string, rule: string): ApiError {
  return apiError(400, `Invalid value for '${name}': ${rule}.`, {
    param: name,
    code: "invalid_value",
  });
}

function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0;
}
