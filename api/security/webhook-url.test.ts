import { expect, it } from "vitest";
import { webhookUrlProblem } from "./webhook-url.ts";

const closed = { allowPrivateEndpoints: false, ownHosts: [] };
const open = { allowPrivateEndpoints: true, ownHosts: [] };

it.each(["https://example.com/hooks/assay", "https://example.com:8443/h?team=a&token=b%20c"])(
  "webhookUrlProblem() allows %s",
  (address) => {
    expect(webhookUrlProblem(address, closed)).toBeNull();
  },
);

it.each([
  ["http://example.com/h", "must begin with https://"],
  ["https://user:pass@example.com/h", "the signature says who calls"],
  ["https://example.com/h#top", "must not hold a fragment"],
  ["https://example.com:5432/h", "listen on another, such as 443 or 8443"],
  ["https://127.0.0.1/h?a=b", "must be a public host"],
  ["https://169.254.169.254/latest?a", "must be a public host"],
  ["https://hooks.internal/h", "must be a public host"],
  ["example.com/h", "must be an absolute URL such as https://example.com/hooks/assay"],
])("webhookUrlProblem() refuses %s", (address, reason) => {
  expect(webhookUrlProblem(address, closed)).toContain(reason);
});

it("webhookUrlProblem() allows one's own machine where a deployment says so", () => {
  expect(webhookUrlProblem("http://localhost:3000/h", open)).toBeNull();
  expect(webhookUrlProblem("http://169.254.169.254/h", open)).toContain("is not a public address");
});
