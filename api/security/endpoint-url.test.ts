import { expect, it } from "vitest";
import { endpointUrlProblem } from "./endpoint-url.ts";

it.each([
  ["https://api.example.com/v1"],
  ["https://api.example.com:8443/v1"],
  ["https://API.EXAMPLE.COM/v1"],
  ["https://8.8.8.8/v1"],
  ["https://[2606:4700::1111]/v1"],
])("endpointUrlProblem() allows %s", (address) => {
  expect(endpointUrlProblem(address, false)).toBeNull();
});

it.each([
  ["http://api.example.com/v1"],
  ["ftp://api.example.com/"],
  ["https://user:pass@api.example.com/v1"],
  ["https://localhost/v1"],
  ["https://LOCALHOST./v1"],
  ["https://api.localhost/v1"],
  ["https://127.0.0.1/v1"],
  ["https://2130706433/v1"],
  ["https://0177.0.0.1/v1"],
  ["https://0x7f.1/v1"],
  ["https://10.0.0.8/v1"],
  ["https://172.16.0.1/v1"],
  ["https://192.168.1.1/v1"],
  ["https://169.254.169.254/latest/meta-data"],
  ["https://100.64.0.1/v1"],
  ["https://0.0.0.0/v1"],
  ["https://[::1]/v1"],
  ["https://[::ffff:127.0.0.1]/v1"],
  ["https://[fc00::1]/v1"],
  ["https://[fe80::1]/v1"],
  ["https://metadata.google.internal/v1"],
  ["https://printer.local/v1"],
  ["https://intranet/v1"],
  ["not a url"],
])("endpointUrlProblem() refuses %s", (address) => {
  expect(endpointUrlProblem(address, false)).toEqual(expect.any(String));
});

it("endpointUrlProblem() allows this machine where the deployment does", () => {
  expect(endpointUrlProblem("http://127.0.0.1:8790/v1", true)).toBeNull();
  expect(endpointUrlProblem("http://a:b@127.0.0.1:8790/v1", true)).toEqual(expect.any(String));
});
