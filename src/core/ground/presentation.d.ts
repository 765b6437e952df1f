import { z } from 'zod';
import type { SettingChanges } from '../../shared/domain/setting';
/** How what is recalled is shown to a model, and how its actions are asked for. */
export interface Presentation {
    /** Attempts: retold before the task, solved and failed ones; or solved ones alone, as earlier turns of the dialog. */
    readonly attempts: 'text' | 'turns';
    /** Replies: as the model writes them; or held to the form of one action, from the first character to the last. */
    readonly replies: 'free' | 'held';
    /** Share of a run's tasks that are attempted without memory, so that harm is noticed. */
    readonly unaided: number;
}
/** As the papers show memory, and as the demo model was trained to read it. */
export declare const AS_PAPERS: Presentation;
/** Kinds of items that are attempts as they went. */
export declare const ATTEMPT_KINDS: ReadonlySet<string>;
/**
 * How memory is shown to a model that was not trained to read it retold, where nobody says otherwise.
 *
 * @param weights about how many it has; null where that is not known, and then its replies are free
 * @param remembers whether the method has a memory that a share of the tasks could do without
 */
export declare const presentationFor: (weights: number | null, remembers: boolean) => Presentation;
/** How much a method recalls where nobody says otherwise: as it says itself, but few attempts where these stand as turns. */
export declare const usualK: ({ defaultK, recalls, }: {
    readonly defaultK: number;
    readonly recalls: readonly {
        readonly kind: string;
    }[];
}, { attempts }: Pick<Presentation, "attempts">) => number;
export declare const PRESENTATION: import("./settings").SettingGroup<{
    attempts: z.ZodDefault<z.ZodEnum<{
        auto: "auto";
        text: "text";
        turns: "turns";
    }>>;
    replies: z.ZodDefault<z.ZodEnum<{
        auto: "auto";
        free: "free";
        held: "held";
    }>>;
    unaided: z.ZodDefault<z.ZodUnion<readonly [z.ZodLiteral<"">, z.ZodNumber]>>;
}>;
/** How a run's settings say that memory is shown; where they leave it open, as the papers do. */
export declare function readPresentation(changes: SettingChanges): Presentation;
/** Settings in which what was left open is as suits a model. */
export declare function settledPresentation(changes: SettingChanges, suits: Presentation): SettingChanges;
