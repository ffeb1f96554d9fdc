import { fileURLToPath } from "node:url";
import { createApp } from "../../api/app.ts";
import { describeApi } from "../../api/http/openapi.ts";
import { suites } from "../../shared/suites/registry.ts";

/** The file from which the site reads the API's description. */
export const openapiPath = fileURLToPath(
  new URL("../../shared/contracts/openapi.gen.json", import.meta.url),
);

/** Text of the OpenAPI document, generated from the routes without serving a request. */
export function openapiText(): string {
  const unused = () => {
    throw new Error("no request is served while the API is described");
  };
  const app = createApp({ platform: unused, account: unused, site: unused });
  return `${JSON.stringify(describeApi(app, suites), null, 2)}\n`;
}
