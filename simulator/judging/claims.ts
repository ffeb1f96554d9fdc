import { quotable } from "../language/sentences.ts";
import { shareIn } from "../language/stems.ts";
import { toldOf } from "./facts-used.ts";
import type { Leaning } from "./leaning.ts";
import type { Passage, View } from "./view.ts";

/** A claim of the answer, as judgments list it. */
export interface Claim {
  text: string;
  source: "memory" | "query" | "general_knowledge" | "hallucinated";
  evidence: string;
}

/** Share of words, of the fact or of the claim, that have to be the same. */
const leastShared = 0.5;

const question = /\?["”)]?$/;
/** A reason that is given for advice is a claim, whatever the advice. */
const reason =
  /\b(?:since|because|given (?:that|your)|as (?:you|your)|with your|now that|considering)\b/i;
const advice =
  /^(?:\p{L}+, )?(?:please|try|keep|call|ask|tell|write|start|stop|rest|drink|eat|walk|sit|lie|avoid|don't|do|take|make|plan|let|go|see|speak|talk|choose|have|check|step|use|ring|bring|begin|put|consider|remember|stay|double|skip|forget)\b|\b(?:please|you (?:could|might|may|should|can|would|do best)|i(?:'d| would) (?:suggest|advise|start|leave|go|keep)|let's|it (?:is|may be) worth|another way)\b/iu;
const comfort =
  /\b(?:i'm (?:so |very )?(?:sorry|glad|happy)|i (?:hope|wish|understand|hear)|take care|good luck|all the best|makes sense|understandable|no wonder|thank you|you are not alone|congratulations|how (?:wonderful|lovely)|well done|i(?:'m| am) here|i(?:'ll| will)|welcome|to reassure you)\b/i;
const aboutPerson =
  /\b(?:you(?:'ve|'re)? (?:have|had|are|were|take|took|told|said|mentioned|live|lost|got|feel|suffer|smoke|drink|work|used|never|also|once|still)|your (?:[\p{L}-]+ ){1,4}(?:is|was|has|had|are|were|shows?|showed))\b|\b(?:since|because|given|with|as|there is) (?:you|your)\b/iu;
const invented =
  /\b(?:stud(?:y|ies)|researchers?|scientists?|percent|per cent|%|clinically proven|trial|experts (?:say|agree)|guaranteed)\b/i;
const denial =
  /\b(?:you (?:do not|don't|never|have no|have never|haven't|are not|aren't|were not)|your [\p{L} ]+ (?:is|are|was) not)\b/iu;
const quoted = /[“"„][^”"“]*[”"“]/gu;

/** The claims that the sentences make, and what bears each out, as far as the judge notices them. */
export function claimsOf(view: View, leaning: Leaning): Claim[] {
  return view.sentences.filter(isClaim).flatMap((sentence) => {
    if (!leaning.notices()) return [];
    const evidence = quotable(sentence.text);
    return [{ text: sentence.text, source: sourceOf(sentence, view), evidence }];
  });
}

/** Words that are only quoted are nobody's claim. */
function isClaim({ text, stems }: Passage): boolean {
  if (question.test(text) || stems.length === 0) return false;
  const own = text.replace(quoted, "");
  if (comfort.test(own)) return false;
  return reason.test(own) || !advice.test(own);
}

function sourceOf({ text, stems, all }: Passage, { facts, turns, query }: View): Claim["source"] {
  const told = [...facts, ...turns].find(
    (fact) => toldOf(fact, { all }) >= leastShared || shareIn(stems, fact.all) >= leastShared,
  );
  if (told !== undefined) {
    return denial.test(text) && !/\b(?:not|never|no)\b/i.test(told.text)
      ? "hallucinated"
      : "memory";
  }
  if (shareIn(stems, query.all) >= leastShared) return "query";
  return aboutPerson.test(text) || invented.test(text) ? "hallucinated" : "general_knowledge";
}
