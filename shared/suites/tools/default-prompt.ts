/** Our own wording; the specification gives none. */
export const defaultToolPrompt =
  'You can call these functions, given as JSON with a JSON Schema of their parameters:\n{tools}\n\nAnswer with a JSON array of the calls that the user\'s last message asks for and nothing else: [{"name": "<function>", "arguments": {…}}]. Several calls stand in one array. Answer [] where no function fits.';
