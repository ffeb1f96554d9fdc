/** An error of an OpenAI-compatible endpoint; the other interfaces write it in their own format. */
export interface ApiError {
  status: number;
  body: { error: { message: string; type: string; param: string | null; code: string | null } };
  /** Delay before a retry, s; missing: none is named. */
  retryAfterSeconds?: number;
}

/** An error as an interface sends it. */
export interface SentError {
  status: number;
  headers?: Record<string, string | number>;
  body: object;
  /** The event that reports it within a stream; missing: the body. */
  event?: object;
}

/** An error in OpenAI's format. */
export const openaiError = ({ retryAfterSeconds: delay, ...error }: ApiError): SentError => ({
  ...error,
  ...(delay !== undefined && { headers: { "retry-after": delay } }),
});

/**
 * Builds an error in OpenAI's format.
 * @example apiError(400, "Unknown parameter: 'x'.", { param: "x", code: "unknown_parameter" })
 */
export function apiError(
  status: number,
  message: string,
  { type = "invalid_request_error", param = null, code = null }: Partial<ErrorParts> = {},
): ApiError {
  return { status, body: { error: { message, type, param, code } } };
}

interface ErrorParts {
  type: string;
  param: string | null;
  code: string | null;
}

/** 401 for an invalid key; contains the masked key, as OpenAI does. */
export function wrongKeyError(key: string): ApiError {
  const message =
    key === ""
      ? "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)."
      : `Incorrect API key provided: ${mask(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`;
  return apiError(401, message, { code: key === "" ? null : "invalid_api_key" });
}

/** 404 for an unknown model. */
export function unknownModelError(model: string): ApiError {
  return apiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
    code: "model_not_found",
  });
}

/** 429 for too many requests. */
export function rateLimitError(model: string, retryAfterSeconds: number): ApiError {
  const error = apiError(
    429,
    `Rate limit reached for ${model} in organization org-simulator on requests per min (RPM): Limit 500, Used 500, Requested 1. Please try again in ${retryAfterSeconds}s.`,
    { type: "requests", code: "rate_limit_exceeded" },
  );
  return { ...error, retryAfterSeconds };
}

function mask(key: string): string {
  return key.length <= 12 ? key : `${key.slice(0, 8)}${"*".repeat(12)}${key.slice(-4)}`;
}
