/** What models say that go wrong; `{}` is replaced by words of the query. */

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
