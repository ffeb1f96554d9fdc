import { expect, it } from "vitest";
import { harness, relayDataset } from "../support/harness.ts";

it("rows of a dataset that is longer than a chunk are read by their place", async () => {
  const { platform } = harness();
  const name = await relayDataset(platform, 130);
  const { version = "" } = (await platform.datasets.find("relay", name, null)) ?? {};
  const { heads } = await platform.datasets.index("relay", version);
  expect(heads).toHaveLength(130);
  for (const at of [0, 99, 100, 129]) {
    expect(await platform.datasets.row("relay", version, at)).toMatchObject({ id: `s${at}` });
  }
});

it("a row or a file that is not there is named", async () => {
  const { platform } = harness();
  const name = await relayDataset(platform, 3);
  const { version = "" } = (await platform.datasets.find("relay", name, null)) ?? {};
  const folder = `datasets/relay/${version}`;
  await expect(platform.datasets.row("relay", version, 3)).rejects.toThrow(
    `no row 3 in ${folder}/rows-0.json`,
  );
  await expect(platform.datasets.index("relay", "0".repeat(64))).rejects.toThrow(
    `missing object datasets/relay/${"0".repeat(64)}/index.json`,
  );
});
