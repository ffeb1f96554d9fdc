import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { sourceRows } from "./source-rows.ts";

type Columns = Parameters<typeof parquetWriteBuffer>[0]["columnData"];
/** Node's File has no webkitRelativePath. */
const fileOf = (columnData: Columns) => [
  Object.assign(new File([parquetWriteBuffer({ columnData })], "a.parquet"), {
    webkitRelativePath: "",
  }),
];
const ids: Columns[number] = {
  name: "id",
  data: [2n ** 53n, 2n ** 53n + 1n],
  type: "INT64",
};

test("sourceRows() keeps large integers and text of Parquet unchanged", async () => {
  const text: Columns[number] = { name: "text", data: ["é", null], type: "STRING" };
  expect(await sourceRows(fileOf([ids, text]), {})).toEqual({
    rows: [{ id: "9007199254740992", text: "é" }, { id: "9007199254740993" }],
    name: "a",
    isTable: true,
  });
});

test("sourceRows() refuses a column of bytes, like the command line", async () => {
  const image: Columns[number] = {
    name: "image",
    data: [new Uint8Array([97]), new Uint8Array([0xff, 0xd8])],
    type: "BYTE_ARRAY",
  };
  await expect(sourceRows(fileOf([ids, image]), {})).rejects.toThrow(
    /^row 2: "image" contains bytes: leave the column out/,
  );
});
