import { useState } from 'react'
import type { AskInfo } from '../../../shared/domain/ask'
import { Dialog } from '../../components/dialog'
import { ErrorNotice } from '../../components/error-notice'
import { StateIcon } from '../../components/row-icons'
import { RecordWords } from '../../ground/record-list'
import { SearchField } from '../../ground/search-field'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import type { LocalFile } from '../../stores/ui'
import { useServices } from '../../stores/use-services'
import { dayOf, markOf } from './ask-list'

/** Asks that are shown at once; the others are found by their words. */
const MOST_SHOWN = 40

/** How long to wait while somebody types, in ms. */
const PAUSE_MS = 150

/** Chooses another ask, which goes with what is written as a file of its own: what was said there, as it stands now. */
export function AddAskDialog(props: {
  /** The ask that is written in, which is not offered; null for a new one. */
  askId: string | null
  onAdd(files: readonly LocalFile[]): void
  onClose(): void
}) {
  const { askId, onAdd, onClose } = props
  const { client } = useServices()
  const { report } = useUndo()
  const [text, setText] = useState('')
  const { data, problem, reload } = useQuery('asks', () => client.asks.list({ text }), text, PAUSE_MS)
  const asks = (data ?? []).filter((ask) => ask.id !== askId && isOffered(ask))
  const choose = ({ id }: AskInfo) =>
    refusalOf(
      client.asks.export({ askId: id }).then((read) => {
        onAdd([{ file: new File([read.text], read.name, { type: 'text/markdown' }), folder: '' }])
        onClose()
      }),
    ).then(report)
  return (
    <Dialog
      onClose={onClose}
      title="Add another ask"
      description="What was said there goes along as a file, as it stands now."
    >
      <div className="flex border-b p-3">
        <SearchField label="Find an ask" value={text} onChange={setText} />
      </div>
      {problem ? <ErrorNotice problem={problem} onRetry={reload} alwaysRetry /> : null}
      <ul aria-label="Asks to add" className="min-h-0 flex-1 overflow-y-auto p-1">
        {asks.slice(0, MOST_SHOWN).map((ask) => (
          <li key={ask.id}>
            <button
              type="button"
              onClick={() => void choose(ask)}
              className="flex w-full gap-2 rounded-md px-3 py-2 text-left hover:bg-hover"
            >
              <StateIcon {...markOf(ask)} word={null} />
              <RecordWords title={ask.title}>
                {markOf(ask).word} · {dayOf(ask.messageAt)}
                {ask.folder === null ? '' : ` · ${ask.folder}`}
              </RecordWords>
            </button>
          </li>
        ))}
      </ul>
      {data === null ? null : <Rest count={asks.length} isSearch={text !== ''} />}
    </Dialog>
  )
}

/** What can be added: asks that were answered, and that are on disk, since a file of a temporary one would outlive it. */
const isOffered = ({ attempts, temporary }: AskInfo): boolean => attempts > 0 && !temporary

/** What stands below the list: that there is nothing, or more. */
function Rest({ count, isSearch }: { count: number; isSearch: boolean }) {
  const words =
    count === 0
      ? isSearch
        ? 'No ask holds these words.'
        : 'There is no other ask with an answer yet.'
      : count > MOST_SHOWN
        ? `${count - MOST_SHOWN} more: search to find them.`
        : null
  return words === null ? null : <p className="border-t px-4 py-3 text-sm text-muted">{words}</p>
}
