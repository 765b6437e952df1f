import { LoamError } from '../../../../shared/errors'
import { LIFELONG_KINDS, type LifelongKind } from './kinds'
import { BOUNDS } from '../../../../shared/domain/bounds'

/** Which lifelong stream: the same three make the same tasks, in the same order, everywhere. */
export interface LifelongName {
  readonly kind: LifelongKind
  /** The world, as of any generated stream. */
  readonly world: number
  /** The order of the tasks within their stages. */
  readonly order: number
}

const PREFIX = 'lifelong:'
const [, MOST] = BOUNDS.world

/** Whether a stream is named so; what is wrong with the rest of the name is said by `readLifelongName`. */
export const isLifelongName = (name: string): boolean => name.startsWith(PREFIX)

/** `lifelong:drift?world=101&order=1`. */
export const lifelongName = (kind: string, world: number, order: number): string =>
  `${PREFIX}${kind}?world=${world}&order=${order}`

const refuse = (name: string, why: string): LoamError =>
  new LoamError('BAD_INPUT', `"${name}" names no lifelong stream: ${why}.`, {
    suggestion: `Name one like ${lifelongName('drift', 101, 1)}; there is ${LIFELONG_KINDS.map(({ id }) => id).join(', ')}.`,
  })

/** Reads a name; world and order are 1 where it says nothing of them. @throws LoamError `BAD_INPUT` */
export function readLifelongName(name: string): LifelongName {
  const [id = '', ...rest] = name.slice(PREFIX.length).split('?')
  const kind = LIFELONG_KINDS.find((lifelongKind) => lifelongKind.id === id)
  if (!kind) throw refuse(name, id === '' ? 'it says no kind' : `there is no kind "${id}"`)
  const numbers = { world: 1, order: 1 }
  for (const part of rest.join('?').split('&')) {
    if (part === '') continue
    const [, key, value] = /^(world|order)=(\d{1,10})$/.exec(part) ?? []
    if (key === undefined || Number(value) > MOST)
      throw refuse(name, `"${part}" is neither world=NUMBER nor order=NUMBER`)
    numbers[key as 'world' | 'order'] = Number(value)
  }
  return { kind, ...numbers }
}
