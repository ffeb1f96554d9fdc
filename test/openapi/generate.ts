import { writeFileSync } from "node:fs";
import { openapiPath, openapiText } from "./openapi-file.ts";

writeFileSync(openapiPath, openapiText());
