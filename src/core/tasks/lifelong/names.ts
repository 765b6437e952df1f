import { BOUNDS } from '../../../shared/domain/bounds'
import { LoamError } from '../../../shared/errors'
import type { Lifetimes, NamedStreams } from '../../ground/environment-module'

const PREFIX = 'lifelong:'
const [, MOST] = BOUNDS.world

/** `lifelong:drift?world=101&order=1`. */
export const lifelongName = (kind: string, world: number, order: number): string =>
  `${PREFIX}${kind}?world=${world}&order=${order}`

/** The lifelong streams of all families under one sort of names; the id of a kind says which family it is of. */
export function nameLives(families: readonly Lifetimes[]): NamedStreams {
  const kinds = families.flatMap((family) => family.kinds)
  const refuse = (name: string, why: string): LoamError =>
    new LoamError('BAD_INPUT', `"${name}" names no lifelong stream: ${why}.`, {
      suggestion: `Name one like ${lifelongName('drift', 101, 1)}; there is ${kinds.map(({ id }) => id).join(', ')}.`,
    })
  /** World and order are 1 where the name says nothing of them. */
  const partsOf: NamedStreams['partsOf'] = (name) => {
    const [id = '', ...rest] = name.slice(PREFIX.length).split('?')
    if (kinds.every((kind) => kind.id !== id))
      throw refuse(name, id === '' ? 'it says no kind' : `there is no kind "${id}"`)
    const numbers = { world: 1, order: 1 }
    for (const part of rest.join('?').split('&')) {
      if (part === '') continue
      const [, key, value] = /^(world|order)=(\d{1,10})$/.exec(part) ?? []
      if (key === undefined || Number(value) > MOST)
        throw refuse(name, `"${part}" is neither world=NUMBER nor order=NUMBER`)
      numbers[key as 'world' | 'order'] = Number(value)
    }
    return { kind: id, ...numbers }
  }
  return {
    kinds,
    partsOf,
    nameOf: lifelongName,
    isName: (name) => name.startsWith(PREFIX),
    open(name) {
      const parts = partsOf(name)
      const family = families.find((one) => one.kinds.some(({ id }) => id === parts.kind))
      if (!family) throw refuse(name, `there is no kind "${parts.kind}"`)
      return family.open(parts, lifelongName(parts.kind, parts.world, parts.order))
    },
  }
}
