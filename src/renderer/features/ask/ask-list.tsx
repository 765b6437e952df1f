import {
  Check,
  CircleDashed,
  FileInput,
  LoaderCircle,
  Minus,
  Pin,
  Sparkles,
  TriangleAlert,
  X,
  type IconType,
} from '../../components/icons'
import { type AskInfo } from '../../../shared/domain/ask'
import { isAsImported } from '../../../shared/domain/ask-origin'
import { StateIcon } from '../../components/row-icons'
import { RecordList, RecordWords } from '../../ground/record-list'
import { useUndo } from '../../ground/use-undo'
import { ARCHIVE } from '../../stores/asks'
import { useServices, useStored } from '../../stores/use-services'

/** The asks of a project, of the archive, or all: those that were put away only where words are searched for. */
const listedIn = (asks: readonly AskInfo[], folder: string | null, text: string): readonly AskInfo[] =>
  asks.filter((ask) =>
    folder === ARCHIVE
      ? ask.archived
      : (folder === null || ask.folder === folder) && (text !== '' || !ask.archived),
  )

/** Past asks. Arrows move, Delete deletes. */
export function AskList() {
  const { asks } = useServices()
  const all = useStored('asks', (state) => state.asks)
  const folder = useStored('asks', (state) => state.folder)
  const text = useStored('asks', (state) => state.text)
  const list = listedIn(all, folder, text)
  const status = useStored('asks', (state) => state.status)
  const openId = useStored('asks', (state) => state.openId)
  const remove = useDeleteAsk()
  if (list.length === 0) {
    if (status !== 'ready') return null
    return (
      <p className="px-4 py-2 text-sm text-muted">
        {text === ''
          ? 'What you ask is kept here.'
          : folder === null
            ? 'No ask holds these words.'
            : `No ask in ${folder === ARCHIVE ? 'the archive' : `“${folder}”`} holds these words.`}
      </p>
    )
  }
  return (
    <RecordList
      label="Asks"
      count={list.length}
      at={list.findIndex(({ id }) => id === openId)}
      topOn={text}
      onOpen={(index) => asks.getState().open(list[index]?.id ?? null)}
      onDelete={(index) => {
        const ask = list[index]
        if (ask) void remove(ask)
      }}
      row={(index) => {
        const ask = list[index]
        return ask ? <Row ask={ask} /> : null
      }}
    />
  )
}

function Row({ ask }: { ask: AskInfo }) {
  const mark = markOf(ask)
  return (
    <>
      <StateIcon {...mark} word={null} />
      <RecordWords title={ask.unread ? <strong className="font-semibold">{ask.title}</strong> : ask.title}>
        {ask.unread ? 'New answer · ' : ''}
        {mark.word} · {dayOf(ask.messageAt)}
        {ask.folder === null ? null : ' · '}
        {ask.folder === null ? null : <span>{ask.folder}</span>}
        {ask.archived ? ' · Archived' : ''}
        {ask.temporary ? ' · Temporary' : ''}
      </RecordWords>
      {ask.pinned ? <Pin size={13} aria-label="Pinned" className="mt-0.75 shrink-0 text-muted" /> : null}
    </>
  )
}

interface Mark {
  readonly word: string
  readonly icon: IconType
  readonly look: string
}

const VERDICTS: Record<NonNullable<AskInfo['verdict']>, Mark> = {
  right: { word: 'Right', icon: Check, look: 'text-solved' },
  partly: { word: 'Partly right', icon: Minus, look: 'text-notice' },
  wrong: { word: 'Wrong', icon: X, look: 'text-failed' },
}

/** A message that only asks to remember something: there is nothing to judge. */
const REMEMBERED: Mark = { word: 'Remembered', icon: Sparkles, look: 'text-accent' }

const STATUSES: Record<AskInfo['status'], Mark> = {
  waiting: { word: 'Waiting', icon: CircleDashed, look: 'text-muted' },
  working: { word: 'Working', icon: LoaderCircle, look: 'text-accent motion-safe:animate-spin' },
  done: { word: 'Not judged', icon: CircleDashed, look: 'text-muted' },
  failed: { word: 'Could not be done', icon: TriangleAlert, look: 'text-danger' },
  stopped: { word: 'Stopped', icon: Minus, look: 'text-muted' },
}

/** How an ask stands, as shape, colour and word. */
export function markOf(ask: AskInfo): Mark {
  const { status, verdict, isFact, origin } = ask
  if (origin !== null && isAsImported(ask) && (status === 'done' || status === 'stopped'))
    return { word: importedWords(origin), icon: FileInput, look: 'text-muted' }
  return status !== 'done' || (verdict === null && !isFact)
    ? STATUSES[status]
    : verdict === null
      ? REMEMBERED
      : VERDICTS[verdict]
}

/** Where an ask comes from. */
export const importedWords = ({ program }: NonNullable<AskInfo['origin']>): string =>
  `Imported from ${program}`

const today = (at: Date): boolean => at.toDateString() === new Date().toDateString()

/** A time as short as it can be said. */
export function dayOf(iso: string): string {
  const at = new Date(iso)
  return today(at) ? at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : dateOf(at)
}

/** A day, with its year where that is another one. */
export const dateOf = (at: Date): string =>
  at.toLocaleDateString([], {
    ...{ day: 'numeric', month: 'short' },
    ...(at.getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  })

/** Deletes an ask at once and offers undo; what was learned from it stays. */
export function useDeleteAsk(): (ask: AskInfo) => Promise<void> {
  const { client, asks } = useServices()
  const { change } = useUndo()
  return ({ id, title }) =>
    change(
      asks.getState().remove(id),
      { title: 'Ask deleted', detail: `“${title}”. What was learned from it stays.` },
      () => asks.getState().change(client.asks.restore({ askId: id })),
    )
}
