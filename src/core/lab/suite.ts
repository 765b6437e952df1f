import type { Suite } from '../../shared/domain/experiment'
import { LoamError } from '../../shared/errors'
import { LIFELONG } from '../tasks/generators'

/** One life of a suite. */
export interface SuiteLife {
  readonly method: string
  readonly kind: string
  readonly world: number
  readonly order: number
  /** The name that makes its stream. */
  readonly stream: string
}

const unknown = (what: string, names: readonly string[], records: readonly string[]): void => {
  const wrong = names.find((name) => !records.includes(name))
  if (wrong === undefined) return
  throw new LoamError('BAD_INPUT', `The suite has no ${what} "${wrong}".`, {
    suggestion: `There is: ${records.join(', ')}.`,
  })
}

/** @throws LoamError `BAD_INPUT` for a kind of stream there is not, a method that is not among the definition's, or a world named twice */
export function checkSuite({ streams, worlds, more, only }: Suite, methods: readonly string[]): void {
  const kinds = LIFELONG.kinds.map(({ id }) => id)
  unknown('stream', [...streams, ...Object.keys(only)], kinds)
  unknown('method', [...(more?.methods ?? []), ...Object.values(only).flat()], methods)
  const all = [...worlds, ...(more?.worlds ?? [])]
  for (const [what, names] of [
    ['worlds', all],
    ['streams', streams],
  ] as const)
    if (new Set<string | number>(names).size < names.length)
      throw new LoamError('BAD_INPUT', `One of the ${what} is named twice: ${names.join(', ')}.`, {
        suggestion: 'Name each only once.',
      })
}

/** The kinds a suite plays, in the order of all kinds: those it names, and those that one of them is compared with. */
export function suiteKinds({ streams }: Pick<Suite, 'streams'>): (typeof LIFELONG.kinds)[number][] {
  const compared = LIFELONG.kinds.flatMap(({ id, clean }) => (streams.includes(id) ? [clean] : []))
  return LIFELONG.kinds.filter(
    ({ id, companion }) => streams.includes(id) || (companion && compared.includes(id)),
  )
}

/**
 * The lives of a suite, world by world and order by order, then stream by stream: stopped early it still compares all methods. The order within a stream is
 * that of `methods`.
 */
export function suiteLives(suite: Suite, methods: readonly string[]): SuiteLife[] {
  const { worlds, more, orders, only } = suite
  const further = more?.worlds ?? []
  return [...worlds, ...further].flatMap((world, i) => {
    const playing = i < worlds.length ? methods : methods.filter((name) => more?.methods.includes(name))
    return Array.from({ length: orders }, (_, one) => one + 1).flatMap((order) =>
      suiteKinds(suite).flatMap(({ id: kind }) =>
        playing
          .filter((name) => only[kind]?.includes(name) ?? true)
          .map((method) => ({
            ...{ method, kind, world, order },
            stream: LIFELONG.nameOf(kind, world, order),
          })),
      ),
    )
  })
}
