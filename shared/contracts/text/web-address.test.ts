import { expect, it } from "vitest";
import { licenseSchema, sourceSchema } from "../datasets/dataset.ts";
import { fieldErrors } from "../field-errors.ts";
import { runConfigSchema } from "../submissions/run-config.ts";
import { submittedModelSchema } from "../submissions/submission.ts";
import { hasUserInfo, webAddress, withoutUserInfo } from "./web-address.ts";

const withUser = [
  "https://me:hunter2@example.com/",
  "https://hunter2@example.com",
  "https://:hunter2@a.example",

  "https:me:hunter2@example.com",
  "https:/me:hunter2@example.com",
  "https:\\\\me:hunter2@a.example",

  " https://me:hunter2@example.com",
  "https://me:hun\nter2@a.example",
  "https://a@hunter2@a.example",
];

it.each(withUser)(
  "every contract rejects the address %j without quoting its password",
  (address) => {
    expect(hasUserInfo(address)).toBe(true);
    const endpoint = { baseUrl: address, model: "m" };
    const parsed = [
      webAddress("is no address").safeParse(address),
      submittedModelSchema.safeParse({ name: "m", endpoint }),
      submittedModelSchema.safeParse({ name: "m", hybrid: { local: endpoint, cloud: endpoint } }),
      submittedModelSchema.safeParse({
        name: "m",
        url: address,
        answers: [{ id: "a", output: "" }],
      }),
      runConfigSchema.safeParse({ model: { name: "m", base_url: address } }),
      runConfigSchema.safeParse({ model: { name: "m", url: address } }),
      sourceSchema.safeParse(address),
      licenseSchema.safeParse(address),
    ];
    for (const { error } of parsed) {
      expect(error?.issues.map(({ message }) => message)).toContainEqual(
        "must not contain a user name or password: leave out the part before the @",
      );
      expect(JSON.stringify(fieldErrors(error?.issues ?? [], address))).not.toMatch(/hun\W*ter2/);
    }
  },
);

it("fieldErrors() never quotes an invalid address that may contain a password", () => {
  const address = "https://me:hunter2@exa mple.com/";
  const { error } = submittedModelSchema.safeParse({ name: "m", url: address });
  const text = JSON.stringify(fieldErrors(error?.issues ?? [], { name: "m", url: address }));
  expect(text).toContain("/url");
  expect(text).not.toContain("hunter2");
});

it.each(["https://example.com/@me", "https://example.com/?to=a@b", "https://example.com#@", ""])(
  "hasUserInfo(%j) is false",
  (address) => {
    expect(hasUserInfo(address)).toBe(false);
  },
);

it("withoutUserInfo() does not change the rest of the text", () => {
  const text = 'no "https://me:hunter2@a.example/x@y", ask me@b.example at https://b.example/';
  expect(withoutUserInfo(text)).toBe(
    'no "https://…@a.example/x@y", ask me@b.example at https://b.example/',
  );
});
