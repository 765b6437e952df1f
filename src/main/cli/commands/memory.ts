import { retrievalModeSchema } from '../../../shared/domain/experience'
import type { ItemChange, ItemRow } from '../../../shared/domain/item'
import { recallWords } from '../../../shared/figures/recall-words'
import { originWords, type ItemRelease } from '../../../shared/domain/trust'
import { UsageError } from '../arguments'
import type { Arguments } from '../arguments'
import type { Command } from './command'
import { findDataPath } from '../../ground/data-path'
import { memoryFolder } from '../memory-names'
import { memoryNamed } from './memory-named'
import { BOUNDS } from '../../../shared/domain/bounds'

const MARKS = { pin: 'pinned', mute: 'muted', unmark: null } as const
const VERBS = [
  'list',
  'search',
  'show',
  'add',
  'edit',
  ...Object.keys(MARKS),
  'delete',
  'restore',
  'history',
  'move',
  'waiting',
  'release',
]

/** `loam memory VERB`: the items of a memory, of every kind, by one set of verbs. */
export const memoryCommand: Command = async ({ args, io, host }) => {
  const [, verb = '', first, id] = args.positionals
  if (!VERBS.includes(verb)) throw new UsageError(`loam memory does what? One of: ${VERBS.join(', ')}`)
  const memoryId = memoryNamed(args)
  const { items } = (await host()).client
  if (verb === 'release') {
    const released = await items.release({ memoryId, from: releaseOf(args) })
    for (const { kind, id } of released.items) io.out(`${kind}  ${id}`)
    io.note(`${released.items.length} taken out of quarantine`)
    return released
  }
  if (verb === 'list' || verb === 'search' || verb === 'waiting') {
    const state = verb === 'waiting' ? ('waiting' as const) : ('live' as const)
    const page = await items.list({ memoryId, state, ...(verb === 'search' ? searchOf(args) : listOf(args)) })
    for (const row of page.rows) io.out(lineOf(row))
    io.note(page.rows.length === 0 && verb === 'search' ? 'No results.' : `${page.total} in all`)
    return page
  }
  if (verb === 'add') {
    if (first === undefined) throw new UsageError('What of? loam memory add KIND --set FIELD=TEXT')
    const project = args.text('project') ?? null
    const { item } = await items.add({ memoryId, kind: first, values: pairsOf(args), project })
    io.out(`${item.kind} ${item.id}: ${item.title}`)
    return item
  }
  if (first === undefined || id === undefined) throw new UsageError(`Which one? loam memory ${verb} KIND ID`)
  const ref = { memoryId, kind: first, id }
  const tell = ({ item }: ItemChange): ItemChange['item'] => {
    io.out(`${item.kind} ${item.id}: ${item.gone ? item.gone.why : (item.mark ?? 'live')}`)
    return item
  }
  switch (verb) {
    case 'show': {
      const item = await items.show(ref)
      io.out(item.text)
      for (const { label, value } of item.facts) io.note(`${label}: ${value}`)
      return item
    }
    case 'history': {
      const versions = await items.history(ref)
      for (const { at, note, title, current } of versions)
        io.out(`${at}  ${current ? 'now' : '   '}  ${note}  ${title.replace(/\s+/g, ' ').slice(0, 70)}`)
      return { versions }
    }
    case 'edit':
      return tell(await items.edit({ ...ref, values: pairsOf(args) }))
    case 'move': {
      const toMemoryId = await memoryFolder(args.required('to'), findDataPath(args.text('data')))
      const copy = args.flag('copy')
      const { item } = await items.move({ memoryId, items: [{ kind: first, id }], toMemoryId, copy })
      io.out(`${item.kind} ${item.id}: ${copy ? 'copied' : 'moved'} to ${toMemoryId}`)
      return item
    }
    case 'delete':
      return tell(await items.delete(ref))
    case 'restore':
      return tell(await items.restore(ref))
    default:
      return tell(await items.mark({ ...ref, mark: MARKS[verb as keyof typeof MARKS] }))
  }
}

function releaseOf(args: Arguments): ItemRelease {
  const [signer, importId, program] = [args.text('signer'), args.text('import'), args.text('program')]
  if (signer !== undefined) return { by: 'signer', signer }
  if (importId !== undefined) return { by: 'import', importId }
  if (program !== undefined) return { by: 'program', program }
  throw new UsageError('Whose? loam memory release --signer FINGERPRINT, --import ID or --program NAME')
}

function listOf(args: Arguments) {
  const [, , kind] = args.positionals
  return { kinds: kind === undefined ? null : [kind], limit: args.whole('limit', BOUNDS.page) ?? 50 }
}

function searchOf(args: Arguments) {
  const [, , text] = args.positionals
  if (text === undefined || text.trim() === '')
    throw new UsageError('What for? loam memory search QUERY --memory DIR')
  const mode = retrievalModeSchema.safeParse(args.text('mode') ?? 'hybrid')
  if (!mode.success) throw new UsageError('--mode must be text, semantic or hybrid')
  const k = args.whole('k', BOUNDS.page) ?? 10
  const alpha = args.decimal('alpha', [0, 1])
  const where = Object.entries(pairsOf(args)).map(([facet, label]) => [facet, [label]] as const)
  return {
    ...{ text, mode: mode.data, k, limit: k, kinds: args.list('kinds') ?? null },
    where: Object.fromEntries(where),
    ...(alpha !== undefined && { alpha }),
  }
}

/** `--set KEY=TEXT`, of which there may be several. */
const pairsOf = (args: Arguments): Record<string, string> =>
  Object.fromEntries(
    args.many('set').map((pair) => {
      const end = pair.indexOf('=')
      if (end < 1) throw new UsageError(`--set wants FIELD=TEXT, not "${pair}"`)
      return [pair.slice(0, end), pair.slice(end + 1)]
    }),
  )

function lineOf({ kind, id, title, recalls, mark, match, trust, gone }: ItemRow): string {
  const score = match ? `${match.score.toFixed(3)}  ` : ''
  const from = trust ? `  from ${originWords(trust)}${trust.seen ? '' : ', unseen'}` : ''
  const waits = gone ? `  ${gone.why}` : ''
  return `${score}${kind}  ${id}  ${title.replace(/\s+/g, ' ').slice(0, 70)}  ${recallWords(recalls)}${mark ? `  ${mark}` : ''}${from}${waits}`
}
