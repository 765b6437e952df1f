import { z } from 'zod'

/** Where in a JSON value a change takes place: keys and positions from the root. */
const path = z.array(z.union([z.string(), z.number().int()]))

const changeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('put'), path, value: z.unknown() }),
  z.object({ kind: z.literal('remove'), path }),
  /** A text goes on. */
  z.object({ kind: z.literal('append'), path, text: z.string() }),
  /** A list loses `remove` items from `index` on and gets others there. */
  z.object({
    kind: z.literal('splice'),
    path,
    index: z.number().int(),
    remove: z.number().int(),
    items: z.array(z.unknown()),
  }),
])

/** What leads from one JSON value to the next, change by change. */
export const patchSchema = z.array(changeSchema)
export type Patch = z.infer<typeof patchSchema>
type Change = z.infer<typeof changeSchema>
type Path = Change['path']
type Fields = Readonly<Record<string, unknown>>

/**
 * What leads from `before` to `after`, two JSON values (a field that is `undefined` counts as absent); empty where they are equal. What both
 * share by reference is not looked into, so values must never be changed in place.
 */
export function patchBetween(before: unknown, after: unknown): Patch {
  const patch: Change[] = []
  collect(before, after, [], patch)
  return patch
}

/** A value as a patch leaves it. What the patch does not name stays the same object, so that a view of it need not be drawn again. */
export const applyPatch = <S>(state: S, patch: Patch): S =>
  patch.reduce<unknown>((whole, change) => applyAt(whole, change, 0), state) as S

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function collect(before: unknown, after: unknown, at: Path, patch: Change[]): void {
  if (Object.is(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) return collectItems(before, after, at, patch)
  if (isFields(before) && isFields(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (after[key] !== undefined) collect(before[key], after[key], [...at, key], patch)
      else if (before[key] !== undefined) patch.push({ kind: 'remove', path: [...at, key] })
    }
    return
  }
  if (typeof before === 'string' && typeof after === 'string' && before !== '' && after.startsWith(before))
    // A slice would keep all of `after` in memory as long as the patch is kept.
    patch.push({ kind: 'append', path: at, text: [...after.slice(before.length)].join('') })
  else patch.push({ kind: 'put', path: at, value: after })
}

/** Items that stay at both ends are left alone; those between are changed one by one where as many came as went. */
function collectItems(
  before: readonly unknown[],
  after: readonly unknown[],
  at: Path,
  patch: Change[],
): void {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && isSame(before[head], after[head])) head += 1
  let tail = 0
  while (tail < most - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const remove = before.length - head - tail
  const items = after.slice(head, after.length - tail)
  if (remove === items.length)
    items.forEach((item, i) => collect(before[head + i], item, [...at, head + i], patch))
  else patch.push({ kind: 'splice', path: at, index: head, remove, items })
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  if (!isFields(a) || !isFields(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSame(a[key], b[key]))
}

function applyAt(value: unknown, change: Change, depth: number): unknown {
  const step = change.path[depth]
  if (step === undefined) return applyHere(value, change)
  if (Array.isArray(value)) {
    const items: unknown[] = value.slice()
    items[step as number] = applyAt(items[step as number], change, depth + 1)
    return items
  }
  const fields = isFields(value) ? value : {}
  if (change.kind === 'remove' && depth === change.path.length - 1) {
    const { [step]: _removed, ...rest } = fields
    return rest
  }
  return { ...fields, [step]: applyAt(fields[step], change, depth + 1) }
}

function applyHere(value: unknown, change: Change): unknown {
  if (change.kind === 'append') return `${String(value)}${change.text}`
  if (change.kind === 'splice') {
    const items: readonly unknown[] = Array.isArray(value) ? value : []
    return [...items.slice(0, change.index), ...change.items, ...items.slice(change.index + change.remove)]
  }
  return change.kind === 'put' ? change.value : undefined
}
