import { isJsonObject, type JsonObject } from "../../shared/contracts/json.ts";
import { emotions } from "../../shared/suites/memory/ask/emotions.ts";
import { traits } from "../../shared/suites/memory/ask/personality.ts";
import { fencedPieces, schemaOf } from "../judging/material.ts";
import { characterOf } from "../language/character.ts";
import { moodOf } from "../language/moods.ts";
import { garbleKinds } from "../mistakes/garble.ts";
import type { ParsedChat } from "../parse-chat.ts";
import { wordsIn } from "../speech/wave.ts";
import { playAnswer } from "./play-answer.ts";
import { type Play, type Player, textKey } from "./player.ts";
import { requestKey } from "./prose.ts";

/** How far luck moves a share of an emotion, as a factor, and a trait. */
const moodSpread = 0.3;
const characterSpread = 0.06;

/**
 * Says with what emotion something was written or spoken, and what character shows in it: requests whose
 * schema has the names of emotions, or of the Big Five traits, and nothing else.
 */
export function stagesPlayer(): Player {
  return {
    claim(request) {
      const names = propertiesOf(schemaOf(request));
      const find = names.length === 0 ? null : finderFor(names);
      if (find === null) return null;
      const text = materialOf(request);
      const key = textKey(`${requestKey(request)}\n${request.audio.join("\n")}`);
      return {
        key,
        id: null,
        answer: (play) =>
          playAnswer(play, garbleKinds, () => JSON.stringify(find(text, names, play))),
      };
    },
  };
}

function propertiesOf(schema: JsonObject | null): string[] {
  return isJsonObject(schema?.["properties"]) ? Object.keys(schema["properties"]) : [];
}

type Finder = (text: string | null, names: readonly string[], play: Play) => Record<string, number>;

function finderFor(names: readonly string[]): Finder | null {
  const areAll = (known: readonly string[]) => names.every((name) => known.includes(name));
  return areAll(emotions) ? emotionIn : areAll(traits) ? characterIn : null;
}

/** What was said in a recording, else what is fenced, else all that was written; null: who knows. */
function materialOf({ audio, userText }: ParsedChat): string | null {
  const recording = audio[0];
  if (recording !== undefined) return wordsIn(Buffer.from(recording, "base64"));
  const pieces = fencedPieces(userText);
  return pieces === null ? userText : [pieces["profile"], pieces["query"]].join("\n");
}

/** In a voice whose words nobody knows anything may be heard. */
const emotionIn: Finder = (text, names, { draws }) => {
  const mood = text === null ? {} : moodOf(text);
  const luck = () => 1 + moodSpread * (draws.unit() - 0.5);
  const shares = names.map((name) => (text === null ? draws.unit() : (mood[name] ?? 0) * luck()));
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  return Object.fromEntries(names.map((name, at) => [name, rounded(shares[at]! / sum)]));
};

const characterIn: Finder = (text, names, { draws }) => {
  const character = characterOf(text ?? "");
  const near = (value: number) => value + characterSpread * (2 * draws.unit() - 1);
  return Object.fromEntries(
    names.map((name) => [name, rounded(Math.min(1, Math.max(0, near(character[name] ?? 0.5))))]),
  );
};

const rounded = (value: number): number => Math.round(1_000 * value) / 1_000;
