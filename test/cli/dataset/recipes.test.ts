import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { root } from "../../../cli/local/root.ts";
import { assay } from "../support/assay.ts";
import { fakeHub } from "../support/fake-hub.ts";
import { folderWith } from "../support/folder-with.ts";

interface Recipe {
  /** Our own files, or rows at Hugging Face, in the format of the data. */
  files?: Record<string, string | Buffer | object[]>;
  rows?: object[];
  /** The first imported sample. */
  first: object;
  samples?: number;
  /** The folder of the real data if present, its file of rows and the number of samples. */
  real?: { folder: string; rows: string; samples: number };
}

const schema = { type: "object", properties: { total: { type: "number" } } };
const receipt = {
  company: "HILL SHOP",
  date: "01/02/2018",
  address: "3, HILL ROAD",
  total: "4.00",
};
const ruled = {
  type: "object",
  $defs: { amount: { type: "number", evaluation_config: "number_exact" } },
  properties: {
    number: { type: "string", evaluation_config: "string_exact" },
    site: { type: "string", format: "uri", evaluation_config: "string_exact" },
    lines: {
      type: "array",
      evaluation_config: "array_llm",
      items: {
        type: "object",
        properties: {
          amount: { $ref: "#/$defs/amount" },
          share: {
            anyOf: [{ type: "number" }, { type: "null" }],
            evaluation_config: {
              metrics: [{ metric_id: "number_tolerance", params: { tolerance: 0.01 } }],
            },
          },
        },
      },
    },
  },
};
const gold = { number: "A1", lines: [{ amount: 4, share: null }] };

/** A turn of Schema-Guided Dialogue with the slots up to it. */
const stateTurn = (utterance: string, slots: object) => ({
  speaker: "USER",
  utterance,
  frames: [{ service: "Trains_1", state: { slot_values: slots } }],
});

/** A PDF of one page with one line. */
const pdfOf = (line: string) => {
  const text = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((its, i) => `${i + 1} 0 obj\n${its}\nendobj\n`);
  const parts = ["%PDF-1.4\n", ...objects];
  const startOf = (i: number) => parts.slice(0, i).join("").length;
  const places = objects.map((_, i) => `${`${startOf(i + 1)}`.padStart(10, "0")} 00000 n \n`);
  const table = ["xref\n0 6\n0000000000 65535 f \n", ...places].join("");
  const end = `trailer\n<< /Root 1 0 R /Size 6 >>\nstartxref\n${startOf(6)}\n%%EOF\n`;
  return [...parts, table, end].join("");
};

/** Stand-ins for programs that the commands run before the import, for machines without them. */
const standIns = folderWith({
  pdftotext: `#!/bin/sh\n[ "$1" = -layout ] && sed -n 's/.*(\\(.*\\)) Tj.*/\\1/p' "$2" > "\${2%.pdf}.txt"\n`,
  unxz: `#!/bin/sh\n[ "$1" = --keep ] && cp "$2" "\${2%.xz}"\n`,
});
for (const name of readdirSync(standIns.path)) chmodSync(join(standIns.path, name), 0o755);
afterAll(standIns.dispose);

/** Compressed if the machine has xz; otherwise plain, since the stand-in for unxz only copies. */
function packed(text: string): string | Buffer {
  const { status, stdout } = spawnSync("sh", ["-c", "xz --stdout"], { input: text });
  return status === 0 ? stdout : text;
}

/** Recipes by output file. */
const recipes: Record<string, Recipe> = {
  "paraloq.jsonl": {
    rows: [
      {
        title: "Bill",
        topic: "simple",
        item_id: "1",
        medium: "letter",
        text: "Total: 4",
        schema: JSON.stringify(schema),
        item: '{"total": 4}',
      },
    ],
    first: { text: "Total: 4", schema, expected_output: { total: 4 }, tags: { topic: "simple" } },
  },
  "edgejson.jsonl": {
    files: {
      "data/edgejson_train_v3.jsonl": [
        {
          id: "n1",
          schema_id: "note",
          complexity: "simple",
          prompt: "Total: 4",
          expected_output: { total: 4 },
        },
      ],
      "schemas/simple/note.json": JSON.stringify(schema, null, 2),
    },
    first: { id: "n1", text: "Total: 4", schema, tags: { complexity: "simple", schema: "note" } },
    real: { folder: "edgejson", rows: "rows.jsonl", samples: 629 },
  },
  "sroie.jsonl": {
    rows: [
      {
        image: { src: "https://…", height: 605, width: 463 },
        key: "X1",
        image_size: { width: 463, height: 605 },
        entities: receipt,
        words: ["HILL SHOP", "3, HILL ROAD", "TOTAL 4.00"],
        bboxes: [[1, 2, 3, 4]],
      },
    ],
    files: {
      "SROIE2019/test/box/X1.txt":
        "1,2,3,2,3,4,1,4,HILL SHOP\r\n1,5,3,5,3,8,1,8,3, HILL ROAD\r\n1,9,3,9,3,12,1,12,TOTAL 4.00",
      "SROIE2019/test/entities/X1.txt": JSON.stringify(receipt, null, 4),
      "SROIE2019/test/img/X1.jpg": "an image",
    },
    first: { id: "X1", text: "HILL SHOP\n3, HILL ROAD\nTOTAL 4.00", expected_output: receipt },
  },
  "kleister-nda.jsonl": {
    files: {
      "dev-0/in.tsv.xz": packed(
        [
          [
            "0a.pdf",
            "effective_date party term",
            "…",
            "…",
            "…",
            'AN "NDA" \\nof Ash, Inc. \\\\ Elm',
          ],
          ["0b.pdf", "effective_date party term", "…", "…", "…", 'A "draft'],
        ]
          .map((cells) => `${cells.join("\t")}\n`)
          .join(""),
      ),
      "dev-0/expected.tsv": "effective_date=2014-05-20 party=Ash_Inc. party=Elm term=11_months\n\n",
    },
    samples: 2,
    first: {
      id: "0a",
      text: 'AN "NDA" \nof Ash, Inc. \\ Elm',
      expected_output: {
        effective_date: "2014-05-20",
        party: ["Ash Inc.", "Elm"],
        term: "11 months",
      },
    },
  },
  "extractbench.jsonl": {
    files: {
      "dataset/finance/bill/bill-schema.json": JSON.stringify({ schema_definition: ruled }),
      "dataset/finance/bill/pdf+gold/a (1).gold.json": JSON.stringify(gold),
      "dataset/finance/bill/pdf+gold/a (1).pdf": pdfOf("Number A1"),
    },
    first: {
      id: "bill/a (1)",
      text: expect.stringMatching(/^\s*Number A1\s*$/),
      expected_output: gold,
      schema: {
        $defs: { amount: { type: "number", "x-assay-rule": { compare: "number" } } },
        properties: {
          number: { type: "string", "x-assay-rule": { compare: "exact" } },
          site: { type: "string", format: "uri" },
          lines: {
            items: {
              properties: {
                share: { "x-assay-rule": { compare: "number", tolerance: 0.01 } },
              },
            },
          },
        },
      },
      tags: { domain: "finance", kind: "bill" },
    },
  },
  "sgd.jsonl": {
    files: {
      "dev/dialogues_001.json": JSON.stringify([
        {
          dialogue_id: "1_00000",
          services: ["Trains_1"],
          turns: [
            stateTurn("A seat to Bergen, please.", { to: ["Bergen"] }),
            { speaker: "SYSTEM", utterance: "When?", frames: [{ service: "Trains_1" }] },
            stateTurn("Half past 7.", { to: ["Bergen"], time: ["half past 7", "7:30"] }),
          ],
        },
      ]),
      "dev/dialogues_002.json": JSON.stringify([
        {
          dialogue_id: "2_00000",
          services: ["Trains_1"],
          turns: [stateTurn("To Voss.", { to: ["Voss"] })],
        },
        {
          dialogue_id: "2_00001",
          services: ["Trains_1"],
          turns: [stateTurn("To Oslo.", { to: ["Oslo"] })],
        },
      ]),
      "dev/schema.json": JSON.stringify([
        { service_name: "Trains_1", slots: [{ name: "to" }, { name: "time" }, { name: "class" }] },
        { service_name: "Buses_1", slots: [{ name: "from" }] },
      ]),
    },
    samples: 3,
    first: {
      id: "1_00000",
      turns: [{ role: "user" }, { role: "assistant", content: "When?" }, { role: "user" }],
      topics: { Trains_1: ["to", "time", "class"] },
      expected: { Trains_1: { to: "Bergen", time: "half past 7" } },
    },
    real: { folder: "sgd", rows: "dialogues.jsonl", samples: 98 },
  },
  "snips.jsonl": {
    files: {
      "2017-06-custom-intent-engines/RateBook/train_RateBook.json": JSON.stringify({
        RateBook: [
          {
            data: [
              { text: "Give " },
              { text: "Ulysses", entity: "object_name" },
              { text: " a " },
              { text: "4", entity: "rating_value" },
            ],
          },
          { data: [{ text: "Rate " }, { text: "Emma", entity: "object_name" }] },
        ],
      }),
      "2017-06-custom-intent-engines/RateBook/train_RateBook_full.json": "not read",
    },
    samples: 2,
    first: {
      id: "train-RateBook-0",
      turns: [{ role: "user", content: "Give Ulysses a 4" }],
      topics: { RateBook: expect.arrayContaining(["rating_value", "best_rating"]) },
      expected: { RateBook: { rating_value: ["4"], object_name: ["Ulysses"] } },
    },
    real: { folder: "snips", rows: "rows.jsonl", samples: 416 },
  },
  "locomo.jsonl": {
    files: {
      "data/locomo10.json": JSON.stringify([
        {
          sample_id: "conv-1",
          qa: [
            { question: "What pet has Ana?", answer: "a dog", evidence: ["D1:2"], category: 4 },
            { question: "When did Ben move?", answer: 2022, evidence: ["D2:1; D2:2"], category: 2 },
            {
              question: "What do both like?",
              answer: "tea",
              evidence: ["D1:1", "D2:1"],
              category: 1,
            },
            { question: "Is Ana kind?", answer: "Likely", evidence: ["D1:2"], category: 3 },
            { question: "Who drove?", answer: "Ben", evidence: ["D1:1", "D2:1"], category: 4 },
            {
              question: "What pet has Ben?",
              evidence: ["D1:2"],
              category: 5,
              adversarial_answer: "a dog",
            },
          ],
          conversation: {
            speaker_a: "Ana",
            speaker_b: "Ben",
            session_1_date_time: "1:56 pm on 8 May, 2023",
            session_1: [
              { speaker: "Ben", dia_id: "D1:1", text: "And?" },
              { speaker: "Ana", dia_id: "D1:2", text: "Look!", blip_caption: "a photo of a dog" },
            ],
            session_2_date_time: "4:04 pm on 3 June, 2023",
            session_2: [{ speaker: "Ben", dia_id: "D2:1", text: "I moved last year." }],
            session_3_date_time: "9:00 am on 4 June, 2023",
          },
          observation: {},
          event_summary: {},
        },
      ]),
    },
    samples: 2,
    first: {
      id: "conv-1-1",
      user: "conv-1",
      session: 1,
      turns: [
        { role: "date", content: "1:56 pm on 8 May, 2023" },
        { role: "Ben", content: "And?" },
        { role: "Ana", content: "Look! [photo: a photo of a dog]" },
      ],
      topics: { facts: ["What pet has Ana?", "What pet has Ben?"], dates: ["When did Ben move?"] },
      expected: { facts: { "What pet has Ana?": "a dog" } },
    },
  },
  "mt-bench.jsonl": {
    rows: [{ prompt_id: 81, category: "writing", prompt: ["Write a letter.", "Shorter."] }],
    first: { id: "mt-bench-81", prompt: "Write a letter.", tags: { category: "writing" } },
  },
  "memory.jsonl": {
    files: {
      "profiles/samples/ada/sample.json": JSON.stringify({
        query: "Which tea?",
        memory: { tea: "Likes ginger tea", son: "Has not spoken to her son" },
        required_keys: ["tea"],
        forbidden_keys: ["son"],
        neutral_keys: [],
      }),
      "profiles/samples/ada/voice.wav": "a sound",
    },
    first: { id: "ada", query: "Which tea?", required_keys: ["tea"] },
  },
};

/** The commands in the guide's table, split at &&; the last part is the import. */
const lines = [
  ...readFileSync(join(root, "docs/datasets.md"), "utf8").matchAll(
    /^\|.*`([^`]*assay dataset import [^`]*)` *\|$/gm,
  ),
].map(([, line = ""]) => line.split(" && "));
const commands = lines.map((parts) => parts.at(-1)!.split(" ").slice(1));
const programs = new Map(lines.map((parts, i) => [commands[i], parts.slice(0, -1).join(" && ")]));
const outOf = (command: readonly string[]) => command.at(-1) ?? "";
const mappingOf = (command: readonly string[]) => command[command.indexOf("--mapping") + 1] ?? "";
const exampleOf = (command: readonly string[]) => basename(mappingOf(command));
const examples = readdirSync(join(root, "examples/datasets"));

it("docs/datasets.md has a command for every mapping and every recipe", () => {
  expect(new Set(commands.map(outOf))).toEqual(new Set(Object.keys(recipes)));
  const named = commands.filter((one) => one.includes("--mapping")).map(exampleOf);
  expect(new Set(named)).toEqual(new Set(examples));
});

describe.each(commands.map((command) => [command.join(" "), command] as const))(
  "%s",
  (_, command) => {
    const { files = {}, rows = [], first, samples = 1, real } = recipes[outOf(command)]!;
    const own = folderWith(files);
    const program = programs.get(command) ?? "";
    const before = process.cwd();
    afterAll(own.dispose);
    const [verb, action, given = "", ...flags] = command;
    const imported = async (source = given, ...args: string[]) => {
      await using hub = await fakeHub({ rows, splits: [["default", "test"]] });
      vi.stubEnv("ASSAY_HF_URL", hub.url);
      vi.stubEnv("XDG_CACHE_HOME", join(own.path, "cache"));
      const example = exampleOf(command);
      if (examples.includes(example)) {
        copyFileSync(join(root, "examples/datasets", example), join(own.path, mappingOf(command)));
      }
      process.chdir(own.path);
      try {
        return await assay(own.path, [verb!, action!, source, ...flags, ...args]);
      } finally {
        process.chdir(before);
        vi.unstubAllEnvs();
      }
    };

    it.runIf(program !== "")(`runs ${program} before the import`, () => {
      const PATH = [process.env["PATH"], standIns.path].join(delimiter);
      const { status, stderr } = spawnSync("sh", ["-c", program], {
        cwd: own.path,
        env: { ...process.env, PATH },
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([0, ""]);
    });

    it("imports our sample of the format", async () => {
      const { code, stdout, stderr } = await imported();
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Imported ${samples} sample`);
      const [line = ""] = readFileSync(join(own.path, outOf(command)), "utf8").split("\n");
      expect(JSON.parse(line)).toMatchObject(first);
    });

    if (real === undefined) return;
    const shared = join(root, "../shared/data", real.folder);
    it.skipIf(!existsSync(shared))("imports the whole dataset", async () => {
      const place = dirname(mappingOf(command));
      for (const name of readdirSync(shared)) {
        copyFileSync(join(shared, name), join(own.path, place, name));
      }
      const { code, stdout } = await imported(join(place, real.rows), "--json");
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        samples: real.samples,
        malformed: { count: 0 },
      });
    });
  },
);
