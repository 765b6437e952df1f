import { z } from 'zod';
import type { SettingChanges, SettingField, SettingGroupInfo } from '../../shared/domain/setting';
declare module 'zod' {
    interface GlobalMeta {
        /** One sentence about a setting. */
        help?: string;
        /** What a number counts, in the plural. */
        unit?: string;
        /** Where a setting comes from: equation, section, table. */
        source?: string;
        /** The titles of a choice's values. */
        choices?: Readonly<Record<string, string>>;
        /** How a text is asked for; `line` when left out. */
        look?: 'line' | 'path' | 'secret' | 'model';
        /** What a number that may be left empty then is, in words. Such a number is `z.union([z.literal(''), z.number()...]).default('')`. */
        empty?: string;
    }
}
/** Settings of one thing: a strict zod object whose every key has a default and, in `.meta`, title and help. */
export interface SettingGroup<Shape extends z.ZodRawShape = z.ZodRawShape> {
    /** What stands in run.json, in definitions and on the command line: a method's id, `agent`, an environment's or provider's id. */
    readonly id: string;
    readonly title: string;
    readonly schema: z.ZodObject<Shape, z.core.$strict>;
}
/** Settings with nothing left out. */
export type SettingsOf<Group> = Group extends SettingGroup<infer Shape> ? z.output<z.ZodObject<Shape, z.core.$strict>> : never;
/**
 * Declares settings, once: form, command line, definitions (YAML), documentation and bounds are read off the schema.
 *
 *     export const TEA = defineSettings('tea', 'Tea', {
 *       minutes: whole(1, 10, 3, { title: 'Time', help: 'How long it draws.', unit: 'minutes', source: 'The packet, back' }),
 *     })
 *     readSettings(TEA, context.settings).minutes
 *
 * Each kind has a word of its own: `onOff`, `choice`, `whole`, `number`, `share` and `text`. Any other zod schema will do that is a boolean
 * (a switch), an enum (titles in `choices`), a number with both bounds or a string (`look`).
 */
export declare const defineSettings: <Shape extends z.ZodRawShape>(id: string, title: string, shape: Shape) => SettingGroup<Shape>;
/** What is said of a setting. */
type Words = Omit<z.GlobalMeta, 'choices'> & {
    readonly title: string;
    readonly help: string;
};
/** A setting that is on or off. */
export declare const onOff: (normal: boolean, words: Words) => z.ZodDefault<z.ZodBoolean>;
/** A setting that is a number, fractions too, bounds included. */
export declare const number: (least: number, most: number, normal: number, words: Words) => z.ZodDefault<z.ZodNumber>;
/** A setting that is a number from 0 to 1. */
export declare const share: (normal: number, words: Words) => z.ZodDefault<z.ZodNumber>;
/** A setting that counts something, bounds included. */
export declare const whole: (least: number, most: number, normal: number, words: Words & {
    readonly unit: string;
}) => z.ZodDefault<z.ZodNumber>;
/** A setting that is a text: a line unless `look` says otherwise. */
export declare const text: (normal: string, words: Words) => z.ZodDefault<z.ZodString>;
/** A setting that is one of several values: each with its title, in the order they are offered, and the default. */
export declare const choice: <Value extends string>(choices: Readonly<Record<Value, string>>, normal: NoInfer<Value>, words: Words) => z.ZodDefault<z.ZodEnum<{ [k_1 in Value]: k_1; } extends infer T ? { [k in keyof T]: T[k]; } : never>>;
/** The defaults of a group. */
export declare function defaultsOf<Shape extends z.ZodRawShape>(group: SettingGroup<Shape>): SettingsOf<SettingGroup<Shape>>;
/** A group's settings, complete: what was changed, over the defaults. Changes of keys that are gone are passed over. */
export declare const readSettings: <Shape extends z.ZodRawShape>(group: SettingGroup<Shape>, changes: SettingChanges) => SettingsOf<SettingGroup<Shape>>;
/** Reads a group's settings, complete, wherever changes come from. */
export declare const settingsReader: <Shape extends z.ZodRawShape>(group: SettingGroup<Shape>) => (changes: SettingChanges) => SettingsOf<SettingGroup<Shape>>;
/**
 * A group as it is asked for in the window, on the command line and in the documentation: in the schema's order.
 * @throws Error naming a setting that lacks a title, help, default or bound; the conformance suites read every group
 */
export declare function settingFields(group: SettingGroup): SettingField[];
/** A group as it crosses to the window. */
export declare const groupInfo: (group: SettingGroup) => SettingGroupInfo;
/**
 * Checks changes against the groups they name, before anything is started with them. Misspelt names are refused, so that an
 * ablation that changes nothing cannot pass for one.
 *
 * @throws LoamError `BAD_INPUT` naming the group, the key and what it may be
 */
export declare function checkChanges(groups: readonly SettingGroup[], changes: SettingChanges): SettingChanges;
/**
 * One setting as it is written on the command line, `group.key=value`.
 * @throws LoamError `BAD_INPUT` naming what it may be
 */
export declare function parseChange(groups: readonly SettingGroup[], text: string): SettingChanges;
/** Changes put together, group by group; later ones win. */
export declare const mergeChanges: (...all: readonly SettingChanges[]) => SettingChanges;
export {};
