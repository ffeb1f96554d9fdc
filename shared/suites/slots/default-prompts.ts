/** Our own wording; the specification gives none. */
export const defaultSystemPrompt =
  "You keep an assistant's memory of its user. From one conversation session you store what is worth remembering about the user as slots: a topic, a field, and one value or several. Store what the user states about themselves or confirms, as it stands at the end of the session. Do not store guesses, wishes and plans that no field asks for, what the user denies or only used to do, what is true of other people, or what the assistant alone says. Keep values short and in the user's words. Leave out every field that the session says nothing about.";

/** Our own wording; the specification gives none. */
export const defaultUserPrompt =
  "Topics and their fields:\n{topics}\n\n{memory}Conversation session:\n{conversation}\n\n{format}";

/** What `{format}` becomes: how the slots are to be written. */
export const formatPrompts = {
  json: 'Answer with JSON alone: {"<topic>": {"<field>": "value" or ["value", "value"]}}. Answer {} if there is nothing to store.',
  lines:
    "Answer with one line for each slot and nothing else: topic::field::value, value. Answer NONE if there is nothing to store.",
} as const;

/** What `{memory}` becomes where the model is given what it stored before. */
export const memoryPrompt =
  "Slots you stored in earlier sessions of this user:\n{stored}\n\nStore only what this session says: what is new, what has changed, what is said again.\n\n";
