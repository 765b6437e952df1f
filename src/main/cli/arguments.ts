import { resolve } from 'node:path'
import { gpuLayersSchema, type GpuLayers } from '../../shared/domain/model'
import { LoamError } from '../../shared/errors'
import type { OptionName, SwitchName } from './options'
import type { Bounds } from '../../shared/domain/bounds'
import { modelFrom } from '../ground/model-reference'

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
export type Arguments = ReturnType<typeof openArguments>

/** What was given, as commands ask for it. */
export function openArguments(positionals: readonly string[], values: Given) {
  /** The option's text; undefined when it was not given. */
  const text = (name: OptionName): string | undefined => {
    const value = values[name]
    return typeof value === 'string' ? value : undefined
  }
  /** Words separated by commas; undefined when it was not given. */
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
    /** The word at a place. @throws UsageError with the hint where there is none */
    word(index: number, hint: string): string {
      const value = positionals[index]
      if (value === undefined) throw new UsageError(hint)
      return value
    },
    /** Whether a switch was given. */
    flag: (name: SwitchName): boolean => values[name] === true,
    text,
    /** What an option was given each time. */
    many(name: 'set' | 'file' | 'with-ask'): string[] {
      const input = values[name]
      return Array.isArray(input) ? input : []
    },
    /** As `text`, but it has to be there. @throws UsageError */
    required(name: OptionName): string {
      const value = text(name)
      if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
      return value
    },
    /** A whole number within bounds; undefined when it was not given. */
    whole: (name: OptionName, bounds: Bounds) => number(name, bounds, Number.isSafeInteger, 'a whole number'),
    /** A number within bounds; undefined when it was not given. */
    decimal: (name: OptionName, bounds: Bounds) => number(name, bounds, Number.isFinite, 'a number'),
    list,
    /** Whole numbers within bounds, separated by commas; undefined when it was not given. */
    wholeList: (name: OptionName, [min, max]: Bounds): number[] | undefined =>
      list(name)?.map((word) => {
        const value = Number(word)
        if (Number.isSafeInteger(value) && value >= min && value <= max) return value
        throw new UsageError(`--${name} must list whole numbers from ${min} to ${max}, not "${word}"`)
      }),
    gpuLayers(): GpuLayers | undefined {
      const inputText = text('gpu-layers')
      if (inputText === undefined) return undefined
      const parsed = gpuLayersSchema.safeParse(/^\d+$/.test(inputText) ? Number(inputText) : inputText)
      if (!parsed.success)
        throw new UsageError(`--gpu-layers must be auto, max, cpu or a number, not "${inputText}"`)
      return parsed.data
    },
  }
}

/** `--key-env NAME`: a model server's key, which never stands on a command line itself. @throws UsageError */
export function keyFromEnvironment({ text }: Pick<Arguments, 'text'>): string | undefined {
  const name = text('key-env')
  if (name === undefined) return undefined
  const key = process.env[name]
  if (key === undefined || key === '') throw new UsageError(`There is no environment variable ${name}`)
  return key
}

/** The model of `--model`, or of another option, as it was named; undefined when it was not given. */
export function modelOf({ text }: Pick<Arguments, 'text'>, name: OptionName = 'model'): string | undefined {
  const inputText = text(name)
  return inputText === undefined ? undefined : modelFrom(inputText)
}

/** A stream as it was named: a bundled one by its id, a file by its full path, since an open Loam has another current folder. */
export const streamFrom = (name: string): string => (/[\\/.]/.test(name) ? resolve(name) : name)
