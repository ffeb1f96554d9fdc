/** The parts of OpenAPI 3.1 that the reference page draws. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;

interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface ApiResponse {
  $ref?: string;
  description?: string;
  content?: Content;
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter & { $ref?: string })[];
  requestBody?: { required?: boolean; description?: string; content?: Content };
  responses?: Record<string, ApiResponse>;
}

export interface OpenApi {
  info: { title: string; version: string; description?: string };
  tags?: { name: string; description?: string }[];
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, unknown>>;
  components?: {
    schemas?: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, ApiResponse>;
  };
}

const files = import.meta.glob<{ default: OpenApi }>(
  "../../../../shared/contracts/openapi.gen.json",
  {
    eager: true,
  },
);

/** The API's description; null if it was not generated. */
export const openApi: OpenApi | null = Object.values(files)[0]?.default ?? null;
