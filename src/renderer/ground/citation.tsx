import { FileText } from '../components/icons'
import { useState } from 'react'
import { placeWords, type Citation } from '../../shared/domain/files'
import { Dialog } from '../components/dialog'
import { useServices } from '../stores/use-services'
import { useQuery } from './use-query'

/** The kind of what is read from own files. */
export const PASSAGE = 'passage'

const STATE_WORDS: Readonly<Record<Citation['state'], string>> = {
  same: 'the file still says so',
  changed: 'the file has changed since it was read',
  gone: 'the file is not there any more',
  elsewhere: 'this memory does not read its folder now',
}

/** Where a passage of own files is from and whether its file still says so; opens what it says, line by line. */
export function CitationLine({ memoryId, passageId }: { memoryId: string; passageId: string }) {
  const { client } = useServices()
  const [open, setOpen] = useState(false)
  const { data, problem } = useQuery(`${memoryId} ${passageId}`, () =>
    client.files.open({ memoryId, passageId }),
  )
  if (problem) return <p className="text-xs text-notice">{problem.title}</p>
  if (!data) return null
  const where = placeWords(data)
  return (
    <>
      <p className="text-xs">
        <button
          type="button"
          aria-label={`Open ${where}`}
          onClick={() => setOpen(true)}
          className="inline-flex items-baseline gap-1 rounded-sm text-left text-accent underline hover:no-underline"
        >
          <FileText size={12} aria-hidden className="shrink-0 self-center" />
          {where}
        </button>
        <span className={data.state === 'same' ? 'text-muted' : 'text-notice'}>
          {' '}
          · {STATE_WORDS[data.state]}
        </span>
      </p>
      {open ? (
        <Dialog
          onClose={() => setOpen(false)}
          title={where}
          description={`As it was read; ${STATE_WORDS[data.state]}.`}
          className="w-[min(760px,calc(100vw-32px))]"
        >
          <Lines citation={data} />
        </Dialog>
      ) : null}
    </>
  )
}

/** The text with the numbers of its lines. */
function Lines({ citation }: { citation: Citation }) {
  const { text, from, file } = citation
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-4">
      {file === null ? null : <p className="font-mono text-xs break-all text-muted">{file}</p>}
      <div
        // It scrolls, so the keyboard has to reach it.
        tabIndex={0}
        role="group"
        aria-label="What it says"
        className="min-h-0 overflow-auto rounded-md bg-sunken px-2.5 py-2 font-mono text-xs leading-5"
      >
        {text.split('\n').map((line, i) => (
          <p key={i} className="flex gap-3">
            <span aria-hidden className="w-8 shrink-0 text-right text-muted select-none">
              {from + i}
            </span>
            <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{line}</span>
          </p>
        ))}
      </div>
    </div>
  )
}
