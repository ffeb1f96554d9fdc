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
  "an address such as %j is refused in every contract, and not repeated",
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
    for (const one of parsed) {
      expect(one.error?.issues.map(({ message }) => message)).toContainEqual(
        "must not contain a user name or password: leave out the part before the @",
      );
      expect(JSON.stringify(fieldErrors(one.error?.issues ?? [], address))).not.toMatch(
        /hun\W*ter2/,
      );
    }
  },
);

it("an address that can't be read is not repeated where a password may stand in it", () => {
  const address = "https://me:hunter2@exa mple.com/";
  const { error } = submittedModelSchema.safeParse({ name: "m", url: address });
  const said = JSON.stringify(fieldErrors(error?.issues ?? [], { name: "m", url: address }));
  expect(said).toContain("/url");
  expect(said).not.toContain("hunter2");
});

it.each(["https://example.com/@me", "https://example.com/?to=a@b", "https://example.com#@", ""])(
  "hasUserInfo() lets %j be",
  (address) => {
    expect(hasUserInfo(address)).toBe(false);
  },
);

it("withoutUserInfo() leaves the rest of a text as it is", () => {
  const text = 'no "https://me:hunter2@a.example/x@y", ask me@b.example at https://b.example/';
  expect(withoutUserInfo(text)).toBe(
    'no "https://…@a.example/x@y", ask me@b.example at https://b.example/',
  );
});
