import { readFileSync } from "node:fs";
import { exchangeSchema, readExchange } from "./read-exchange.ts";

const usage = `Reads recorded replies of model providers with the service's own client.

  npm run exchanges -- FILE

FILE has one exchange a line: {provider, api, case, model, request, response: {status, headers, body | sse | ndjson}}.
Prints what was read of each as a JSON array: case, outcome, answer, thoughts, calls, usage, stop and failure.`;

const [file] = process.argv.slice(2);
if (file === undefined || file === "--help") {
  console.log(usage);
  process.exitCode = file === undefined ? 2 : 0;
} else {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  const rows = [];
  for (const line of lines) rows.push(await readExchange(exchangeSchema.parse(JSON.parse(line))));
  console.log(JSON.stringify(rows, null, 2));
}
