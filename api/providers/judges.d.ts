import { z } from "zod";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { Route } from "#shared/contracts/judging/judge.ts";
import { type Result } from "#shared/contracts/result.ts";
import type { Endpoint } from "#shared/contracts/submissions/submission.ts";
import type { JudgeDeployment } from "#shared/judges/choose-judges.ts";
import { type Reply } from "./ask-model.ts";
import { type EndpointMemory } from "./endpoint-memory.ts";
import { type ListedModel } from "./list-models.ts";
import { type AskLimits, type Surroundings } from "./retrying.ts";
export type JudgeClient = ReturnType<typeof judgeClient>;
/** The judges from the deployment's variables and secrets, called with the SDK. Calls throw only `Postponed`. */
export declare function judgeClient(env: Readonly<Record<string, unknown>>, around: Surroundings): {
    /** Why no judge can be called (unreadable settings); null if they can. */
    problem: string | null;
    deployment: JudgeDeployment;
    /** Providers that are simulated by a program. */
    simulated: string[];
    /** Additional models that runs may name; null: any. */
    models: string[] | null;
    /** USD per million tokens, by model. */
    prices: {
        [x: string]: {
            inputPerMillion: number;
            outputPerMillion: number;
            cachedPerMillion?: number | undefined;
            audioPerMillion?: number | undefined;
            reasoningPerMillion?: number | undefined;
        };
    };
    /** Maximum requests in flight, over all runs. */
    concurrency: number;
    limits: {
        timeoutMs: number;
        maxRetries: number;
    };
    /** `memory` records overloads and refused parameters. */
    ask: (route: Route, request: ChatRequest, limits: AskLimits, memory: EndpointMemory) => Promise<Reply>;
    embed: (route: Route, texts: readonly string[], limits: AskLimits, memory: EndpointMemory) => Promise<EmbedReply>;
    speak: (route: Route, text: string, limits: AskLimits, memory: EndpointMemory) => Promise<SpeakReply>;
    /** The models that a provider lists; a string states why it lists none. Never throws. */
    list: (provider: string) => Promise<ListedModel[] | string>;
};
/** Vectors of texts; `error`: why there are none. */
type EmbedReply = {
    kind: "postponed";
    until: number;
} | {
    kind: "vectors";
    vectors: number[][] | null;
    error: {
        class: string;
        message: string;
    } | null;
    inputTokens: number | null;
    latencyMs: number;
    /** Number of HTTP calls, including retries. */
    attempts: number;
};
/** A recording of a text; null if that failed. */
export type SpeakReply = {
    kind: "postponed";
    until: number;
} | {
    kind: "recording";
    recording: ChatRequest["audio"] | null;
    error: string | null;
};
/** The variable JUDGES of a deployment. */
declare const judgeSettingsSchema: z.ZodObject<{
    providers: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodObject<{
        baseUrl: z.ZodUnion<[z.ZodLiteral<"">, z.ZodURL]>;
        maxTokensParam: z.ZodDefault<z.ZodEnum<{
            max_completion_tokens: "max_completion_tokens";
            max_tokens: "max_tokens";
        }>>;
        protocol: z.ZodOptional<z.ZodEnum<{
            chat_completions: "chat_completions";
            generate_content: "generate_content";
            messages: "messages";
            responses: "responses";
        }>>;
        keyless: z.ZodDefault<z.ZodBoolean>;
        simulated: z.ZodDefault<z.ZodBoolean>;
    }, z.core.$strict>>>;
    routes: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodString>>;
    fallback: z.ZodDefault<z.ZodString>;
    models: z.ZodDefault<z.ZodArray<z.ZodString>>;
    prices: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodObject<{
        inputPerMillion: z.ZodNumber;
        outputPerMillion: z.ZodNumber;
        cachedPerMillion: z.ZodOptional<z.ZodNumber>;
        audioPerMillion: z.ZodOptional<z.ZodNumber>;
        reasoningPerMillion: z.ZodOptional<z.ZodNumber>;
    }, z.core.$strict>>>;
    concurrency: z.ZodDefault<z.ZodInt>;
    timeoutMs: z.ZodDefault<z.ZodInt>;
    maxRetries: z.ZodDefault<z.ZodInt>;
}, z.core.$strict>;
/** Settings of the deployment's usable judges, without providers that have no key. */
interface JudgeSettings extends Omit<z.infer<typeof judgeSettingsSchema>, "providers"> {
    providers: Readonly<Record<string, Omit<Endpoint, "model"> & {
        simulated: boolean;
    }>>;
}
/**
 * Reads a deployment's judges: the variable JUDGES (a table or JSON), and for each provider the secret
 * `JUDGE_KEY_<PROVIDER>`. The error states what to change.
 * @example readJudgeSettings({ JUDGES: '{"fallback": 1}' }) // { ok: false, error: "JUDGES /fallback: …" }
 */
export declare function readJudgeSettings(env: Readonly<Record<string, unknown>>): Result<JudgeSettings, string>;
export {};
