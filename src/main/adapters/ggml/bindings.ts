import koffi from 'koffi'
import { LoamError } from '../../../shared/errors'
import type { GgmlFiles } from './library-files'
import {
  BASE_SIGNATURES,
  type CType,
  type Functions,
  type Pointer,
  REGISTRY_SIGNATURES,
  type Signature,
} from './signatures'

/** The ggml builds this binding was written against and tested with, by node-llama-cpp's version. */
const KNOWN_BUILDS: Readonly<Record<string, { version: string; commit: string; tensorOverhead: number }>> = {
  '3.21.1': { version: '0.23.0', commit: '5b4ebc5', tensorOverhead: 368 },
}

/** ggml's functions, typed; only public API, no struct is ever read. */
export type Ggml = Functions<typeof BASE_SIGNATURES> & Functions<typeof REGISTRY_SIGNATURES>

/** A type of ours in koffi's words. */
const C_TYPES: Readonly<Record<Exclude<CType, 'init'>, string>> = {
  void: 'void',
  pointer: 'void *',
  data: 'void *',
  int: 'int',
  int64: 'int64_t',
  size: 'size_t',
  float: 'float',
  bool: 'bool',
  string: 'str',
}

/**
 * Opens the libraries and binds every function. Throws `TRAINER_UNAVAILABLE` when they are not the build this binding
 * knows, or lack a function: calling into another build could crash or, worse, compute something else.
 */
export function openGgml(files: GgmlFiles): Ggml {
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    throw refuse(`ggml is only called on 64-bit machines, not on ${process.arch}.`)
  const record = KNOWN_BUILDS[files.release]
  if (!record)
    throw refuse(
      `node-llama-cpp ${files.release} is installed; known are ${Object.keys(KNOWN_BUILDS).join(', ')}.`,
    )
  const init = koffi.struct({ mem_size: 'size_t', mem_buffer: 'void *', no_alloc: 'bool' })
  const bind = (path: string, table: Readonly<Record<string, Signature>>) => {
    let library: ReturnType<typeof koffi.load>
    try {
      library = koffi.load(path)
    } catch (error) {
      throw refuse(`${path} could not be opened: ${getMessage(error)}`, error)
    }
    return Object.entries(table).map(([name, [result, parameters]]) => {
      const type = (c: CType) => (c === 'init' ? init : C_TYPES[c])
      try {
        return [name, library.func(`ggml_${name}`, type(result), parameters.map(type))] as const
      } catch (error) {
        throw refuse(`The library has no function ggml_${name}.`, error)
      }
    })
  }
  const functions = [...bind(files.base, BASE_SIGNATURES), ...bind(files.registry, REGISTRY_SIGNATURES)]
  const ggml = Object.fromEntries(functions) as unknown as Ggml
  const match = { version: ggml.version(), commit: ggml.commit(), tensorOverhead: ggml.tensor_overhead() }
  for (const key of ['version', 'commit', 'tensorOverhead'] as const)
    if (match[key] !== record[key])
      throw refuse(`ggml's ${key} is ${match[key]}; node-llama-cpp ${files.release} has ${record[key]}.`)
  return ggml
}

/** The address behind a pointer that must not be NULL. */
export function present(pointer: Pointer, what: string): bigint {
  if (pointer === null || pointer === 0n)
    throw new LoamError('TRAINER_MEMORY', `ggml could not make ${what}.`, {
      suggestion: 'Close other programs, shorten the attempts, or take a smaller model.',
    })
  return pointer
}

const getMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const refuse = (why: string, underlying?: unknown) =>
  new LoamError('TRAINER_UNAVAILABLE', why, {
    suggestion: 'Install Loam again, so that its parts fit each other.',
    underlying,
  })
