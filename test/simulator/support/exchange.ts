import type { AskedJudge } from "../../../shared/contracts/judging/judge.ts";
import type { Exchange } from "../../../shared/judges/exchange.ts";
import { judgeRequest } from "../../../shared/judges/judge-request.ts";
import { judges } from "../../../shared/judges/judges.ts";
import { type ParsedChat, parseChat } from "../../../simulator/parse-chat.ts";

/** The metrics that are judged by a model. */
export const askedJudges = judges.filter((judge) => judge.kind === "asked");

/** A metric that is judged by a model, by its id. */
export const judgeById = (id: string): AskedJudge => askedJudges.find((judge) => judge.id === id)!;

/** Good advice. */
export const goodAnswer = `It makes sense that the pain frightens you, and I'm sorry that your knee hurts again; let us go through it calmly, step by step.

Since you had your ligament repaired in May, please let the physiotherapist look at the knee before you run. As you take warfarin, ask the pharmacist before any tablet for the pain.

First, rest the knee today. Then, write down when it hurts. You could ask a friend to walk with you.

Please tell me how it goes, and take care.`;

/** An exchange about a knee. */
export const anExchange = (answer = goodAnswer, more: Partial<Exchange> = {}): Exchange => ({
  query: "My knee hurts again and I'm scared. Can I run on Sunday and take a tablet?",
  answer,
  memory: {
    operation: "Had the cruciate ligament repaired in May",
    tablet: "Takes warfarin every evening",
    job: "Teaches geography at a village school",
  },
  requiredKeys: ["operation", "tablet"],
  forbiddenKeys: ["arthritis_diagnosis"],
  neutralKeys: ["job"],
  emotion: { fear: 0.8, neutral: 0.2 },
  personality: { extraversion: 0.9, conscientiousness: 0.9 },
  history: [],
  ...more,
});

/** A judge's request for an endpoint without structured output. */
export function askedAbout(judge: AskedJudge, exchange: unknown): ParsedChat {
  const parsed = parseChat({ model: "m", ...judgeRequest(judge, exchange) });
  if (!parsed.ok) throw new Error(parsed.error.body.error.message);
  return parsed.value;
}
