import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { getJson } from "./get-json.ts";

let asked = 0;
const server = createServer((request, response) => {
  asked += 1;
  // As a machine does whose connections idled.
  if (asked === 1) request.socket.destroy();
  else if (asked === 2) {
    response.writeHead(200, { "content-length": 14 });
    response.write('{"is"', () => request.socket.destroy());
  } else response.end('{"is": "here"}');
});

afterEach(() => {
  server.close();
});

it("getJson() retries if the connection is lost, before the reply or during it", async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  expect(await getJson(`http://127.0.0.1:${port}/`)).toEqual({ is: "here" });
  expect(asked).toBe(3);
});
