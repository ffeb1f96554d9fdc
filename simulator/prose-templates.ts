/** A sentence in two parts, `{}` standing for what it is about. */
export interface Template {
  /** Ties the sentence to those before it; may be left out. */
  tie: string;
  /** Without capital and full stop. */
  rest: string;
}

/** First sentences. */
export const openings: readonly string[] = [
  "any useful answer begins with {}",
  "the heart of the matter lies in {}",
  "much of the question turns on {}",
  "a fair treatment has to start from {}",
];

/** Last sentences. */
export const conclusions: readonly Template[] = [
  { tie: "overall,", rest: "{} deserves the closest attention" },
  { tie: "in summary,", rest: "a thoughtful balance around {} settles the matter" },
  { tie: "ultimately,", rest: "sound judgement about {} makes the difference" },
];

/** What stands between them; no word that carries meaning is in two of them. */
export const bodies: readonly Template[] = [
  { tie: "first,", rest: "careful observers would examine {} thoroughly" },
  { tie: "moreover,", rest: "practical experience repeatedly confirms {}" },
  { tie: "however,", rest: "circumstances vary considerably for {}" },
  { tie: "for example,", rest: "ordinary situations frequently illustrate {}" },
  { tie: "consequently,", rest: "noticeable contrasts emerge around {}" },
  { tie: "in addition,", rest: "specialists usually emphasise {}" },
  { tie: "because resources remain limited,", rest: "sensible priorities reflect {}" },
  { tie: "meanwhile,", rest: "beginners commonly underestimate {}" },
  { tie: "similarly,", rest: "reliable measurements support {}" },
  { tie: "although opinions diverge,", rest: "prevailing consensus favours {}" },
  { tie: "on the other hand,", rest: "sceptical voices rightly scrutinise {}" },
  { tie: "next,", rest: "adequate preparation involves {}" },
  { tie: "nevertheless,", rest: "occasional exceptions accompany {}" },
  { tie: "since conditions fluctuate,", rest: "patient adjustment benefits {}" },
];

/** What those say who have lost the thread. */
export const digressions: readonly string[] = [
  "Old harbour towns often keep a small museum of ropes and lanterns.",
  "My cousin once painted a whole kitchen in a single afternoon.",
  "Chess clubs like to meet on Thursday evenings.",
  "Some people put cinnamon on nearly everything.",
  "The best seats at a theatre are rarely the most expensive.",
  "Marching bands rehearse in all sorts of car parks.",
];

/** How those begin who have no plan. */
export const nonOpening = "Okay, so.";
