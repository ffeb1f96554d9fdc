import { StreamSize } from "#shared/protocols/reply-errors.ts";

/** An event of a stream: its name, empty for most, and its data. */
interface StreamEvent {
  name: string;
  data: string;
}

/**
 * Decodes server-sent events from pieces of text. An event without data is none.
 * llama.cpp writes an error into a field `error`: it becomes an event of this name. Linear.
 * Source: HTML Standard, 9.2.6.
 */
export class EventDecoder {
  #line = "";
  #endsInReturn = false;
  #name = "";
  #data: string[] = [];
  #size = new StreamSize();

  /** The events that this piece completes. Throws `TooLargeError` for an event that is larger than any answer. */
  decode(piece: string): StreamEvent[] {
    const isRestOfBreak = this.#endsInReturn && piece.startsWith("\n");
    if (piece !== "") this.#endsInReturn = piece.endsWith("\r");
    const [first = "", ...more] = (isRestOfBreak ? piece.slice(1) : piece).split(/\r\n|\n|\r/);
    this.#line += first;
    const events: StreamEvent[] = [];
    for (const next of more) {
      const event = this.#add(this.#line);
      if (event !== null) events.push(event);
      this.#line = next;
    }
    return events;
  }

  #add(line: string): StreamEvent | null {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#name = value;
    if (field === "error") this.#name = field;
    if (field === "data" || field === "error") {
      this.#size.grow(value);
      this.#data.push(value);
    }
    return null;
  }

  #end(): StreamEvent | null {
    const event = { name: this.#name, data: this.#data.join("\n").trim() };
    this.#name = "";
    this.#data = [];
    this.#size = new StreamSize();
    return event.data === "" ? null : event;
  }
}
