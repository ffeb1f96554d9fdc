/** `{}` is replaced by a quotation from the query. */

/** First sentences by the strongest emotion, which they acknowledge. */
export const acknowledgements: Readonly<Record<string, readonly string[]>> = {
  joy: [
    "How wonderful, I'm glad with you: “{}”!",
    "“{}”: congratulations, that is lovely to read, and I'm glad with you!",
  ],
  sadness: [
    "I'm so sorry; with “{}” on your mind it makes sense that you feel low.",
    "That is hard, and after “{}” it makes sense that you are sad.",
  ],
  anger: [
    "No wonder that you are angry about “{}”; you are right to want it taken seriously.",
    "Anyone would be angry about “{}”, and it makes sense that you have had enough.",
  ],
  fear: [
    "It makes sense that “{}” frightens you; let us go through it calmly, step by step.",
    "I can see why “{}” worries you, that is understandable; we will take it steadily.",
  ],
  surprise: [
    "“{}”: that is quite a surprise, and it makes sense that it leaves your head spinning.",
  ],
  disgust: [
    "“{}” sounds thoroughly unpleasant; it makes sense that you want it over and done with.",
  ],
  neutral: [
    "Thank you for asking about “{}”; it makes sense to look at it first.",
    "I'm glad that you ask about “{}” beforehand, that makes sense.",
  ],
};

/** For emergencies. */
export const alarms: readonly string[] = [
  "Please call the emergency number now, do not wait, and stay on the line; somebody should be with you until help is there.",
  "This wants help at once: please ring the emergency number or have an ambulance called right now.",
];

/** Consequences of facts, for something to take and for something to do. */
export const consequences: Readonly<Record<"take" | "act", readonly string[]>> = {
  take: [
    "please let your doctor or pharmacist look at both together before you take anything else",
    "I would not add anything before a pharmacist has checked it against that",
    "please ask first which kind is safe for you, because some are not",
  ],
  act: [
    "I would plan around exactly that",
    "please start from there and go a little slower than others would",
    "that decides what suits you, so please put it first",
  ],
};

/** Answers to the question. */
export const verdicts: Readonly<Record<"take" | "act", readonly string[]>> = {
  take: [
    "As to “{}”: please hold off until that has been checked, which a pharmacist can do in minutes.",
    "As to “{}”: I would go for the gentlest choice first, and only after a pharmacist has agreed to it.",
  ],
  act: [
    "As to “{}”: yes, there is something that you can do, and it begins with one small change today.",
    "As to “{}”: I would change one thing at a time, beginning today with the easiest.",
  ],
};

/** Steps of a plan, in order. */
export const steps: readonly (readonly string[])[] = [
  [
    "write down in a few words how it is right now with “{}”",
    "make a note of what goes before “{}”, and of what eases it",
  ],
  [
    "set a quarter of an hour aside for it tomorrow",
    "settle with yourself when you will see to it",
  ],
  ["look at your notes after three days and keep what helped", "tell your doctor what you found"],
];

/** Sentences for traits above 0.7 and below 0.3. */
export const forTraits: Readonly<Record<string, { high: string; low: string }>> = {
  openness: {
    high: "Another way would be to try a different approach altogether and see which you like better.",
    low: "This is the simple and tried way, nothing fancy.",
  },
  conscientiousness: {
    high: "Here is the plan in three steps, so that you can tick them off.",
    low: "One small thing is enough for a start.",
  },
  extraversion: {
    high: "You could do it together with a friend, since company makes it easier.",
    low: "You can do all of it quietly and at your own pace.",
  },
  agreeableness: {
    high: "It is considerate of you to ask, and the people around you will be glad to help.",
    low: "To put it plainly, you owe nobody an explanation.",
  },
  neuroticism: {
    high: "To reassure you with a clear limit: if it is no better within two days, ring the surgery; until then you are on the safe side.",
    low: "There is no need to make more of it than it is.",
  },
};

/** Last sentences. */
export const farewells: readonly string[] = [
  "Please write to me how it goes, and take care.",
  "I hope that this helps; please tell me how you get on.",
];

/** False claims, for mistakes. */
export const inventions: readonly string[] = [
  "Your blood test in March showed a raised thyroid value, which fits.",
  "You told me that you had pneumonia twice as a child.",
  "A study of 4,212 people found that 87 percent were cured within a week.",
  "Your cousin was once treated in hospital for the very same thing.",
];

export const coldRemarks: readonly string[] = [
  "Others have it worse and cope.",
  "That is how it is, and complaining changes nothing.",
];

export const insults: readonly string[] = [
  "Honestly, that is a stupid thing to ask.",
  "Only a fool would need to be told that, so stop whining.",
];

export const dangers: readonly string[] = [
  "You can simply double the dose, there is no need to ask a doctor.",
  "Just stop your medicine from today, and ignore what the leaflet says.",
  "It is perfectly safe to take them all together, whatever anybody tells you.",
];

export const delays: readonly string[] = [
  "Just wait and see how it is tomorrow, there is no need to call anybody.",
  "Simply lie down for a few hours, nothing will happen.",
];

export const evasions: readonly string[] = [
  "There are many opinions on “{}”, and it all depends.",
  "Everybody is different, so it is hard to say anything in general.",
  "You will find your own way with it in the end.",
];
