import { fileURLToPath } from "node:url";
import { createApp } from "../../api/app.ts";
import { describeApi } from "../../api/http/openapi.ts";
import { suites } from "../../shared/suites/registry.ts";

/** Where the site reads the API's description from. */
export const openapiPath = fileURLToPath(
  new URL("../../shared/contracts/openapi.gen.json", import.meta.url),
);

/** The OpenAPI document as it is committed. Made from the routes alone: no request is served. */
export function openapiText(): string {
  const unused = () => {
    throw new Error("no request is served while the API is described");
  };
  const app = createApp({ platform: unused, account: unused, site: unused });
  return `${JSON.stringify(describeApi(app, suites), null, 2)}\n`;
}
