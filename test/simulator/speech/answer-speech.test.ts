import { describe, expect, it } from "vitest";
import { wordsIn, writeWave } from "../../../simulator/speech/wave.ts";
import { aClient, post, readJson } from "../support/ask.ts";
import { useSimulator } from "../support/simulator.ts";

describe("writeWave()", () => {
  it.each(["Good morning.", "Odd", "猫です", ""])("writes '%s' into a whole RIFF file", (text) => {
    const wave = writeWave(text);
    expect(wave.toString("latin1", 0, 4) + wave.toString("latin1", 8, 12)).toBe("RIFFWAVE");
    expect(wave.readUInt32LE(4)).toBe(wave.length - 8);
    const dataBytes = wave.readUInt32LE(40);
    expect(wave.toString("latin1", 44 + dataBytes, 48 + dataBytes)).toBe("LIST");
    expect(wave.readUInt32LE(48 + dataBytes)).toBe(wave.length - 52 - dataBytes);
    expect(wordsIn(wave)).toBe(text);
  });

  it("differs for different words, and is limited in length", () => {
    expect(writeWave("no")).not.toEqual(writeWave("yes"));
    expect(writeWave("word ".repeat(10_000)).length).toBeLessThan(100_000);
  });

  it.each([Buffer.from(""), Buffer.from("RIFF"), Buffer.from("RIFF....INFOICMT")])(
    "has no words that can be read from other bytes",
    (bytes) => {
      expect(wordsIn(bytes)).toBeNull();
    },
  );
});

describe("answerSpeech()", () => {
  const simulator = useSimulator();
  const body = { model: "sim-speech", input: "Does it hurt?", voice: "alloy" };
  const ask = (more: object, faults = "") =>
    post(simulator(), { ...body, ...more }, { "x-sim-faults": faults }, "/audio/speech");

  it("answers OpenAI's client", async () => {
    const answer = await aClient(simulator()).audio.speech.create({
      ...body,
      response_format: "wav",
    });
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(writeWave(body.input));
  });

  it.each([
    [{ input: "" }, 400, "'input'"],
    [{ input: "x".repeat(4_097) }, 400, "at most 4096"],
    [{ voice: undefined }, 400, "'voice'"],
    [{ response_format: "mp3" }, 400, "'wav'"],
    [{ model: undefined }, 400, "model parameter"],
    [{ model: "nobody" }, 404, "does not exist"],
  ])("refuses %j", async (more, status, message) => {
    const answer = await ask(more);
    expect(answer.status).toBe(status);
    expect((await readJson(answer)).error.message).toContain(message);
  });

  it("applies faults", async () => {
    expect((await ask({}, "503")).status).toBe(503);
    await expect((await ask({}, "cut")).arrayBuffer()).rejects.toThrow("terminated");
    const half = await (await ask({}, "truncated-json")).arrayBuffer();
    expect(half.byteLength).toBe(Math.floor(writeWave(body.input).length / 2));
  });
});
