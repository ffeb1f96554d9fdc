/** Kinds of reader reports. In a separate file, because browser pages must not bundle schemas. */
export const reportKinds = {
  secrets: "It shows keys or other secrets",
  personal: "It shows personal data",
  copied: "Answers or data are copied without permission",
  misleading: "The model or its answers are not what they claim to be",
  harmful: "It is harmful or illegal",
  other: "Something else",
} as const;
export type ReportKind = keyof typeof reportKinds;
