import type { ChatRequest } from "../../contracts/chat-request.ts";

const dataUrl = /^data:audio\/(?:x-)?(wav|wave|mp3|mpeg);base64,([A-Za-z0-9+/]+=*)$/;

/**
 * A sample's recording, where it comes with the sample: a data URL of WAV or MP3. Nothing is fetched, since an
 * address in a dataset could lead anywhere.
 * @example recordingOf("data:audio/wav;base64,UklGRg==") // { data: "UklGRg==", format: "wav" }
 */
export function recordingOf(audio: string | null): NonNullable<ChatRequest["audio"]> | null {
  const [, kind, data] = dataUrl.exec(audio ?? "") ?? [];
  if (kind === undefined || data === undefined) return null;
  return { data, format: kind.startsWith("wav") ? "wav" : "mp3" };
}
