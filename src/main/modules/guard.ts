import { ZodError } from 'zod'
import { isAbortError } from '../../core/ground/abort'
import { LoamError } from '../../shared/errors'

/** Names the failure of a module, and turns the module off. */
export type Fail = (error: unknown) => LoamError

/** Errors that modules may answer with: in words, cancelled, or about a line that does not fit. */
const isAnswer = (error: unknown): boolean =>
  error instanceof LoamError || error instanceof ZodError || isAbortError(error)

type Call = (this: unknown, ...args: unknown[]) => unknown

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Whether calls can go through an object: functions of its own, or of a class that is none of the language's. */
const hasCalls = (value: object): boolean =>
  Object.values(value).some((one) => typeof one === 'function') ||
  (!isPlain(value) && Object.prototype.toString.call(value) === '[object Object]' && !('_zod' in value))

/** A module whose every call is watched: what it throws beyond words is told as its failure. Its objects keep their identity. */
export function guarded<T extends object>(module: T, fail: Fail): T {
  const cache = new WeakMap<object, object>()
  const inWords = (error: unknown): unknown => (isAnswer(error) ? error : fail(error))

  const watch = (value: unknown): unknown => {
    if (typeof value === 'function') return keep(value, () => call(value as Call, undefined))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    if (value instanceof Promise)
      return value.then(watch, (error: unknown) => {
        throw inWords(error)
      })
    if (Symbol.asyncIterator in value) return each(value as AsyncIterable<unknown>)
    return hasCalls(value) ? keep(value, () => proxy(value)) : value
  }

  const keep = (value: object, make: () => object): object => {
    const product = cache.get(value) ?? make()
    cache.set(value, product)
    return product
  }

  const call =
    (run: Call, self: unknown): Call =>
    (...args) => {
      try {
        return watch(run.apply(self, args))
      } catch (error) {
        throw inWords(error)
      }
    }

  async function* each(items: AsyncIterable<unknown>): AsyncGenerator {
    try {
      for await (const item of items) yield item
    } catch (error) {
      throw inWords(error)
    }
  }

  const proxy = (target: object): object => {
    const calls = new Map<unknown, Call>()
    return new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key, target)
        const descriptor = Reflect.getOwnPropertyDescriptor(target, key)
        if (descriptor?.configurable === false && descriptor.writable === false) return value
        if (typeof value !== 'function') return isWatched(value) ? watch(value) : value
        const getProduct = calls.get(value) ?? call(value as Call, target)
        calls.set(value, getProduct)
        return getProduct
      },
    })
  }

  return proxy(module) as T
}

/** Parts of a module that have calls of their own; schemas are read by others, and stay as they are. */
const isWatched = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && isPlain(value) && hasCalls(value)
