import { describe, expect, test } from "vitest";
import { readSchema } from "../read-schema.ts";
import { hasFormat } from "./formats.ts";

/** By format, valid and invalid texts. */
const cases: Record<string, { valid: string[]; invalid: string[] }> = {
  date: { valid: ["2024-02-29"], invalid: ["2023-02-29", "2024-2-9", ""] },
  time: { valid: ["08:30:06Z", "23:59:60Z"], invalid: ["08:30", "24:00:00Z"] },
  "date-time": {
    valid: ["1998-12-31T23:59:60Z", "2020-01-01t00:00:00z"],
    invalid: [
      "1998-12-31",
      "1998-13-01T00:00:00Z",
      "2020-01-01 00:00:00Z",
      "2020-01-01\t00:00:00Z",
      "2020-01-01\u00a000:00:00Z",
      "2020-01-01  00:00:00Z",
    ],
  },
  duration: { valid: ["P4DT12H30M5S", "P2W"], invalid: ["P", "PT", "4D"] },
  uuid: { valid: ["2EB8AA08-aa98-11ea-b4aa-73b441d16380"], invalid: ["2eb8aa08"] },
  email: { valid: ["ada@example.org"], invalid: ["ada", "ada@", ".a@example.org"] },
  "idn-email": {
    valid: ["실례@실례.테스트", "ada@example.org", '"a b"@example.org', "ä@[127.0.0.1]"],
    invalid: ["2962", "ada＠example.org", "@example.org", "ä@", "a@b_c"],
  },
  hostname: {
    valid: ["a", "www.example.com", "xn--bcher-kva.example", "1.2.3.256"],
    invalid: [
      "",
      "-a",
      "a-",
      "a_b",
      "a..b",
      "bücher.example",
      "xn--X",
      "ab--c",
      "xn--a-ecp",
      "a.".repeat(150),
    ],
  },
  "idn-hostname": {
    valid: [
      "bücher.example",
      "실례.테스트",
      "東京。jp",
      "l·l",
      "α͵β",
      "א׳ב",
      "カ・タ",
      "क्‍ष",
      "xn--bcher-kva",
    ],
    invalid: [
      "",
      ".",
      "a.",
      "..a",
      "a/b",
      "a:80",
      "u@a",
      "a?b",
      "a b",
      "-ä",
      "ä-",
      "ab--ä",
      "〮a",
      "ـa",
      "☃",
      "a·l",
      "α͵s",
      "a׳",
      "・",
      "क‍ष",
      "٠۰",
      "xn--",
      "xn--a",
      "xn--example-",
      "ü".repeat(64),
    ],
  },
  ipv4: {
    valid: ["192.168.0.1", "01.2.3.4", "001.02.003.4"],
    invalid: ["256.0.0.1", "1.2.3", "1.2.3.4.5"],
  },
  ipv6: { valid: ["::1", "::ffff:192.168.0.1"], invalid: ["12345::", "1::2::3", "::1%eth0"] },
  uri: {
    valid: ["https://a.example/b?c#d", "urn:a:b", "mailto:a@b.example", "http://[2001:db8::1]:80/"],
    invalid: [
      "//a.example",
      "/a",
      "a",
      "://",
      ":a",
      "http://a b",
      "http://a.example/\\",
      "bücher:a",
    ],
  },
  url: { valid: ["https://a.example/b"], invalid: ["a", "://"] },
  "uri-reference": {
    valid: ["", "/a/b", "a", "#b", "?c", "//a.example", "https://a.example"],
    invalid: ["://", ":a", "\\\\share", "/a b", "#a\\b", "ä"],
  },
  iri: {
    valid: ["http://ƒøø.ßår/?∂éœ=πîx#πîüx"],
    invalid: ["://", "/âπ", "âπ", "http://2001:db8::1"],
  },
  "iri-reference": { valid: ["", "/âππ", "âππ", "#ƒ"], invalid: ["://", "\\\\âπ", "#ƒ\\"] },
  "uri-template": {
    valid: ["http://a.example/{term:1}/{+x}"],
    invalid: ["http://a.example/{term"],
  },
  "json-pointer": { valid: ["", "/a~1b/0"], invalid: ["a", "/a~2"] },
  "relative-json-pointer": {
    valid: ["0", "1/a", "2#", "0+1/a", "0-1", "1+0", "10-12/a/0", "0-1#"],
    invalid: [
      "-1",
      "01",
      "/a",
      "+1/a",
      "0+",
      "0+01",
      "1+01/a",
      "0+-1",
      "0+1-1",
      "0+1a",
      "00+1",
      "0+1#/a",
      "1foo",
    ],
  },
  regex: { valid: ["^a+$", "\\p{L}"], invalid: ["(", "\\a"] },
  "no such format": { valid: ["", "anything"], invalid: [] },
};

describe.each(Object.entries(cases))("hasFormat() of %s", (format, { valid, invalid }) => {
  test.each(valid)("accepts %j", (text) => expect(hasFormat(text, format)).toBe(true));
  test.each(invalid)("refuses %j", (text) => expect(hasFormat(text, format)).toBe(false));
});

test.each(Object.keys(cases))(
  "hasFormat() of %s ends within a second for hostile texts",
  (format) => {
    const start = Date.now();
    for (const piece of [
      "a",
      "a.",
      "-",
      "%",
      "a@",
      "http://",
      "[",
      "::",
      "{a",
      "ü",
      "\u200d",
      "xn--",
      "1",
      "/~0",
    ]) {
      hasFormat(`${piece.repeat(1000 / piece.length - 1)}!`, format);
      hasFormat(`http://${piece.repeat(990 / piece.length)}`, format);
    }
    expect(Date.now() - start).toBeLessThan(1000);
  },
);

test("readSchema() allows index manipulation in relative JSON pointers since 2020-12", () => {
  const isValid = (text: string, draft?: string) => {
    const schema = {
      ...(draft !== undefined && { $schema: draft }),
      format: "relative-json-pointer",
    };
    const found = readSchema(schema, true).validate(text);
    return found.ok && found.value.length === 0;
  };
  const drafts = [
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    undefined,
  ];
  expect(drafts.map((draft) => isValid("0+1/a", draft))).toEqual([false, false, true, true]);
  expect(drafts.map((draft) => isValid("0/a", draft))).toEqual([true, true, true, true]);
});

test('readSchema() refuses "://" as a uri-reference only if formats are asserted', () => {
  const schema = { format: "uri-reference" };
  expect(readSchema(schema, true).validate("://")).toMatchObject({
    value: [/* one reason */ expect.anything()],
  });
  expect(readSchema(schema, false).validate("://")).toEqual({ ok: true, value: [] });
});

test.each([3, 4])("readSchema() reads draft-0%i as draft-07, without a warning", (draft) => {
  const schema = {
    $schema: `http://json-schema.org/draft-0${draft}/schema#`,
    items: [{ type: "string" }],
    properties: { a: { $ref: "#/definitions/n", minimum: 5 } },
    definitions: { n: { type: "integer" } },
  };
  const { warnings, validate } = readSchema(schema, false);
  expect(warnings).toEqual([]);
  expect(validate({ a: 1 })).toEqual({ ok: true, value: [] });
  expect(validate(["x", 1])).toEqual({ ok: true, value: [] });
  expect(validate([1])).toMatchObject({ ok: true, value: [expect.stringContaining("type")] });
});
