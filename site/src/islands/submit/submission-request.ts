import { isJsonObject } from "#shared/contracts/json.ts";
import {
  type CardField,
  cardFields,
  type FormError,
  type FormValues,
  priceFields,
} from "./form-values.ts";

/** The request to the API, which checks every value; only values that can't be written as JSON are refused here. */
export type RequestResult =
  | { ok: true; request: { models: object[]; [part: string]: unknown } }
  | { ok: false; errors: FormError[] };

type Part<Value> = { value: Value; errors: FormError[] };

const none = { value: undefined, errors: [] };

/** The submission of a form; `promptHash` is that of the suite's standard prompt. */
export function submissionRequest(values: FormValues, promptHash: string | null): RequestResult {
  const { suite, dataset, name, simulated, visibility } = values;
  const from = values.source === "endpoint" ? endpoint(values) : answers(values, promptHash);
  const [prices, options] = [pricesOf(values), jsonIn(values.options, "options", {})];
  const errors = [...from.errors, ...prices.errors, ...options.errors];
  if (errors.length > 0) return { ok: false, errors };
  const model = {
    name,
    ...card(values),
    ...(simulated && { simulated }),
    ...from.value,
    ...(prices.value && { prices: prices.value }),
  };
  return {
    ok: true,
    request: {
      suite,
      dataset,
      models: [model],
      options: withMode(options.value, values),
      visibility,
    },
  };
}

/** The options as typed, with the mode that is chosen apart. */
const withMode = (options: unknown, { isBatched, source }: FormValues): unknown =>
  isBatched && source === "endpoint" && isJsonObject(options)
    ? { mode: "batch", ...options }
    : options;

const card = (values: FormValues): Partial<Record<CardField, string>> =>
  Object.fromEntries(
    cardFields.flatMap((field) => {
      const text = values[field].trim();
      return text === "" ? [] : [[field, text]];
    }),
  );

function endpoint(values: FormValues): Part<object> {
  const [baseUrl, model] = [values.baseUrl.trim(), values.model.trim()];
  const [apiKey, protocol] = [values.endpointKey.trim(), values.protocol.trim()];
  const { batches } = values;
  const { value: settings, errors } = jsonIn(values.settings, "settings", undefined);
  const endpoint = {
    baseUrl,
    ...(protocol !== "" && { protocol }),
    ...(batches !== "" && { batches }),
    model,
    ...(apiKey !== "" && { apiKey }),
    ...(settings !== undefined && { settings }),
  };
  return { value: { endpoint }, errors };
}

function answers(
  { answers: parsed, isStandardPrompt }: FormValues,
  promptHash: string | null,
): Part<object> {
  const problems = parsed === null ? ["choose a file of answers"] : parsed.errors;
  return {
    value: {
      answers: parsed?.answers,
      ...(isStandardPrompt && promptHash !== null && { promptHash }),
    },
    errors: problems.map((detail) => ({ field: "answers", detail })),
  };
}

function pricesOf(values: FormValues): Part<object | undefined> {
  const given = priceFields.filter((field) => values[field].trim() !== "");
  if (given.length === 0) return none;
  const needed = new Set([...given, "inputPerMillion", "outputPerMillion"] as const);
  const errors = priceFields.flatMap((field): FormError[] => {
    const text = values[field].trim();
    if (!needed.has(field)) return [];
    if (text === "") return [{ field, detail: "give both prices, or neither" }];
    const isNumber = /^\d*\.?\d+(e-?\d+)?$/i.test(text);
    return isNumber ? [] : [{ field, detail: `must be a number such as 2.50, not "${text}"` }];
  });
  return {
    value: Object.fromEntries(given.map((field) => [field, Number(values[field])])),
    errors,
  };
}

const examples = { options: '{"temperature": 0}', settings: '{"reasoningEffort": "high"}' };

/** The JSON in a field of the form; `empty`: the value of an empty one. */
function jsonIn(text: string, field: keyof typeof examples, empty: unknown): Part<unknown> {
  if (text.trim() === "") return { value: empty, errors: [] };
  try {
    return { value: JSON.parse(text), errors: [] };
  } catch (error) {
    const detail = `must be JSON such as ${examples[field]}: ${(error as Error).message}`;
    return { value: null, errors: [{ field, detail }] };
  }
}
