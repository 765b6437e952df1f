import { gpuLayersSchema, type GpuLayers } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import type { OptionName } from './options'
import type { Bounds } from '../../shared/domain/bounds'

/** Thrown for arguments that cannot be used; ends the program with code 2 and a hint. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly hint = 'Run "loam --help" for what it can do.',
  ) {
    super(message)
    this.name = 'UsageError'
  }

  /** The same as everything else that fails, for --json. */
  toError(): LoamError {
    return new LoamError('BAD_INPUT', this.message, { suggestion: this.hint })
  }
}

/** What was given for each option. */
export type Given = Partial<Record<OptionName, string | boolean | string[]>>

/** A command line: its words, and what was given for options. */
export interface Arguments {
  readonly positionals: readonly string[]
  readonly json: boolean
  /** Whether a switch was given. */
  flag(
    name:
      | 'untie'
      | 'fresh'
      | 'retry'
      | 'use'
      | 'at-once'
      | 'dry-run'
      | 'no-soft-prompt'
      | 'review'
      | 'write'
      | 'hold'
      | 'plan'
      | 'continue'
      | 'no-memory'
      | 'no-own-files'
      | 'redact'
      | 'tokenless'
      | 'copy',
  ): boolean
  /** The option's text; undefined when it was not given. */
  text(name: OptionName): string | undefined
  /** What an option was given each time. */
  many(name: 'set' | 'file'): string[]
  /** As `text`, but it has to be there. */
  required(name: OptionName): string
  /** A whole number within bounds; undefined when it was not given. */
  whole(name: OptionName, bounds: Bounds): number | undefined
  /** A number within bounds; undefined when it was not given. */
  decimal(name: OptionName, bounds: Bounds): number | undefined
  /** Words separated by commas; undefined when it was not given. */
  list(name: OptionName): string[] | undefined
  /** Whole numbers within bounds, separated by commas; undefined when it was not given. */
  wholeList(name: OptionName, bounds: Bounds): number[] | undefined
  gpuLayers(): GpuLayers | undefined
}

/** What was given, as commands ask for it. */
export function openArguments(positionals: readonly string[], values: Given): Arguments {
  const text = (name: OptionName): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  const list = (name: OptionName): string[] | undefined => {
    const words = text(name)
      ?.split(',')
      .map((word) => word.trim())
    if (words?.some((word) => word === '')) throw new UsageError(`--${name} has an empty place in its list`)
    return words
  }
  const number = (name: OptionName, [min, max]: Bounds, isRight: (n: number) => boolean, kind: string) => {
    const inputText = text(name)
    if (inputText === undefined) return undefined
    const value = Number(inputText)
    if (inputText.trim() === '' || !isRight(value) || value < min || value > max) {
      throw new UsageError(`--${name} must be ${kind} from ${min} to ${max}, not "${inputText}"`)
    }
    return value
  }

  return {
    positionals,
    json: values.json === true,
    flag: (name) => values[name] === true,
    text,
    many(name) {
      const input = values[name]
      return Array.isArray(input) ? input : []
    },
    required(name) {
      const value = text(name)
      if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
      return value
    },
    whole: (name, bounds) => number(name, bounds, Number.isSafeInteger, 'a whole number'),
    decimal: (name, bounds) => number(name, bounds, Number.isFinite, 'a number'),
    list,
    wholeList: (name, [min, max]) =>
      list(name)?.map((word) => {
        const value = Number(word)
        if (Number.isSafeInteger(value) && value >= min && value <= max) return value
        throw new UsageError(`--${name} must list whole numbers from ${min} to ${max}, not "${word}"`)
      }),
    gpuLayers() {
      const inputText = text('gpu-layers')
      if (inputText === undefined) return undefined
      const parsed = gpuLayersSchema.safeParse(/^\d+$/.test(inputText) ? Number(inputText) : inputText)
      if (!parsed.success)
        throw new UsageError(`--gpu-layers must be auto, max, cpu or a number, not "${inputText}"`)
      return parsed.data
    },
  }
}
