import type { MemoryChange } from '../../../shared/domain/memory-item'
import { UsageError } from '../arguments'
import type { Command } from './command'
import { spaceNamed } from './space-named'
import { BOUNDS } from '../../../shared/domain/bounds'

const MARKS = { pin: 'pinned', mute: 'muted', unmark: null } as const
const VERBS = ['list', 'show', 'edit', ...Object.keys(MARKS), 'delete', 'restore']

/** `loam memory list|show|edit|pin|mute|unmark|delete|restore`: what a space remembers, of every kind. */
export const memoryCommand: Command = async ({ args, io, host }) => {
  const [, verb = '', kind, id] = args.positionals
  if (!VERBS.includes(verb)) throw new UsageError(`loam memory does what? One of: ${VERBS.join(', ')}`)
  const spaceId = spaceNamed(args)
  const { memory } = (await host()).client
  if (verb === 'list') {
    const kinds = kind === undefined ? null : [kind]
    const page = await memory.list({ spaceId, kinds, limit: args.whole('limit', BOUNDS.page) ?? 50 })
    for (const row of page.rows) {
      const { recalled, judged, helped } = row.recalls
      const mark = row.mark ? `  ${row.mark}` : ''
      io.out(
        `${row.kind}  ${row.id}  ${row.title.slice(0, 70)}  recalled ${recalled}, helped ${helped} of ${judged}${mark}`,
      )
    }
    io.note(`${page.total} in all`)
    return page
  }
  if (kind === undefined || id === undefined)
    throw new UsageError(`Which one? loam memory ${verb} KIND ID --space DIR`)
  const ref = { spaceId, kind, id }
  const said = ({ item }: MemoryChange): MemoryChange['item'] => {
    io.out(`${item.kind} ${item.id}: ${item.gone ? item.gone.why : (item.mark ?? 'live')}`)
    return item
  }
  switch (verb) {
    case 'show': {
      const item = await memory.get(ref)
      io.out(item.text)
      return item
    }
    case 'edit': {
      const values = Object.fromEntries(
        args.many('set').map((one) => {
          const at = one.indexOf('=')
          if (at < 1) throw new UsageError(`--set wants FIELD=TEXT, not "${one}"`)
          return [one.slice(0, at), one.slice(at + 1)]
        }),
      )
      return said(await memory.edit({ ...ref, values }))
    }
    case 'delete':
      return said(await memory.remove(ref))
    case 'restore':
      return said(await memory.restore(ref))
    default:
      return said(await memory.mark({ ...ref, mark: MARKS[verb as keyof typeof MARKS] }))
  }
}
