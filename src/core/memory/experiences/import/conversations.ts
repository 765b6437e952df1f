import type { RowPlace } from '../../../../shared/domain/reading'
import { isRecord } from '../../../ground/record'
import { attemptsOf, type DialogAbout } from './dialog'
import type { DialogMessage } from './dialog-message'
import type { Found } from './log'

/** The attempts of a conversation as a reader gives them, each at the place of the conversation. */
export function* foundInDialog(
  place: RowPlace,
  dialog: readonly DialogMessage[],
  about: DialogAbout,
): Generator<Found> {
  let isAsked = false
  for (const log of attemptsOf(dialog, about)) {
    isAsked = true
    yield typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
  }
  if (!isAsked) yield { kind: 'left', place, why: 'there is no request of a person in it' }
}

/** A time that programs write as seconds or milliseconds since 1970, or as ISO text, as ISO in UTC; null for none. */
export function timeOf(value: unknown): string | null {
  const input = typeof value === 'string' && /^\d{10,16}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
  const milliseconds =
    typeof input === 'number' ? (input > 1e15 ? input / 1e6 : input > 1e11 ? input : input * 1000) : NaN
  const time = typeof input === 'string' ? new Date(input) : new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** A number that is not negative; null for anything else. */
export const countOf = (value: unknown): number | null => {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) && count >= 0 ? count : null
}

/** A text that is not empty; null for anything else. */
export const nameOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null

/** A message within a tree of them. */
export interface TreeNode {
  readonly id: string
  /** Null for a first one. */
  readonly parent: string | null
}

/** The messages of a tree as programs write it: those that say which one they are. */
export const nodesIn = (
  values: readonly unknown[],
  names: { readonly id: string; readonly parent: string },
): (TreeNode & { readonly value: Record<string, unknown> })[] =>
  values.flatMap((value) => {
    const id = isRecord(value) ? nameOf(value[names.id]) : null
    return isRecord(value) && id !== null ? [{ id, parent: nameOf(value[names.parent]), value }] : []
  })

/**
 * The branch of a tree of messages that ends at `leaf`, or, where that is not told, at the last message of the file; from its root on. A circle
 * is cut where it closes.
 */
export function branchOf<Node extends TreeNode>(all: readonly Node[], leaf: string | null): Node[] {
  const nodes = new Map(all.map((node) => [node.id, node]))
  const branch: Node[] = []
  const seenSet = new Set<string>()
  let node = nodes.get(leaf ?? '') ?? [...nodes.values()].at(-1)
  while (node && !seenSet.has(node.id)) {
    seenSet.add(node.id)
    branch.push(node)
    node = nodes.get(node.parent ?? '')
  }
  return branch.reverse()
}
