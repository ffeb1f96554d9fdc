/** Low, so that recordings stay small: 8 kHz suffices for speech. */
const samplesPerSecond = 8_000;
const bytesPerSample = 2;
const headerBytes = 44;

/** Duration of a word, and maximum duration of a recording. */
const msPerWord = 40;
const mostMs = 2_000;

/** Pitch of the voice, and range of the words' pitches around it. */
const pitchHz = 140;
const pitchSpreadHz = 80;
const amplitude = 6_000;

/**
 * A short recording of a text: WAV, 16-bit mono, one tone per word. Its INFO chunk has the words as a comment, so that
 * a simulated model can read them. Deterministic.
 * Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0 (RIFF).
 */
export function writeWave(text: string): Buffer {
  const sound = soundOf(text);
  const comment = Buffer.from(`${text}\0`);
  const padded = Buffer.concat([comment, Buffer.alloc(comment.length % 2)]);
  const info = Buffer.concat([Buffer.from("INFOICMT"), uint32(comment.length), padded]);
  const list = Buffer.concat([Buffer.from("LIST"), uint32(info.length), info]);
  const header = Buffer.alloc(headerBytes);
  header.write("RIFF", 0);
  header.writeUInt32LE(headerBytes - 8 + sound.length + list.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(samplesPerSecond, 24);
  header.writeUInt32LE(samplesPerSecond * bytesPerSample, 28);
  header.writeUInt16LE(bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  header.write("data", 36);
  header.writeUInt32LE(sound.length, 40);
  return Buffer.concat([header, sound, list]);
}

function soundOf(text: string): Buffer {
  const words = text
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, mostMs / msPerWord);
  const perWord = (samplesPerSecond * msPerWord) / 1_000;
  const sound = Buffer.alloc(words.length * perWord * bytesPerSample);
  for (const [i, word] of words.entries()) {
    const hz = pitchHz + ((word.length * 17 + word.charCodeAt(0)) % pitchSpreadHz);
    for (let at = 0; at < perWord; at += 1) {
      const value = amplitude * Math.sin((2 * Math.PI * hz * at) / samplesPerSecond);
      sound.writeInt16LE(Math.round(value), (i * perWord + at) * bytesPerSample);
    }
  }
  return sound;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** The words in a recording of `writeWave`; null for other recordings. */
export function wordsIn(wave: Buffer): string | null {
  const at = wave.lastIndexOf("INFOICMT");
  if (wave.toString("latin1", 0, 4) !== "RIFF" || at < 0) return null;
  const start = at + "INFOICMT".length;
  if (wave.length < start + 4) return null;
  const length = wave.readUInt32LE(start);
  return wave.toString("utf8", start + 4, start + 4 + length - 1);
}
