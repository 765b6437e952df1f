import { Download, FileText } from '../../components/icons'
import { useState } from 'react'
import type { AskFile, AskInfo } from '../../../shared/domain/ask'
import { Dialog } from '../../components/dialog'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Verbatim } from '../../components/verbatim'
import { blobOf, bytesOf } from '../../ground/bytes'
import { saveBlob } from '../../ground/save-text'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { Markdown } from './markdown'
import { isPicture, Picture, Thumbnail } from './picture'

const SHOWN_CHARACTERS = 100_000

interface Place {
  readonly ask: AskInfo
  /** The attempt that made the files; null for those that were given. */
  readonly attempt: number | null
  /** The message they were given with. Default: the first. */
  readonly turn?: number
}

/** Files of an ask, each to be looked at and saved. */
export function FileList({ ask, attempt, turn = 0, files }: Place & { files: readonly AskFile[] }) {
  const { client, toasts } = useServices()
  const [open, setOpen] = useState<string | null>(null)
  const save = (name: string) =>
    client.asks.file({ askId: ask.id, attempt, turn, name }).then(
      ({ base64 }) => saveBlob(name, blobOf(base64)),
      () => void toasts.getState().show({ title: `${name} could not be read`, tone: 'problem' }),
    )
  return (
    <>
      <ul
        className="flex flex-wrap gap-1.5"
        aria-label={attempt === null ? 'Files that were given' : 'Files it made'}
      >
        {files.map(({ name, bytes }) => (
          <li key={name} className="flex items-center rounded-md border bg-surface">
            <button
              type="button"
              onClick={() => setOpen(name)}
              className="flex min-h-8 items-center gap-1.5 rounded-l-md px-2 py-0.5 text-sm hover:bg-hover"
            >
              {isPicture(name) ? (
                <ListPicture ask={ask} attempt={attempt} turn={turn} name={name} />
              ) : (
                <FileText size={14} aria-hidden className="text-muted" />
              )}
              <span className="max-w-60 truncate">{name}</span>
              <span className="text-xs text-muted">{formatBytes(bytes)}</span>
            </button>
            <IconButton icon={Download} label={`Save ${name}`} onClick={() => void save(name)} />
          </li>
        ))}
      </ul>
      {open === null ? null : (
        <Dialog
          open
          onClose={() => setOpen(null)}
          title={open}
          description={attempt === null ? 'A file that was given.' : 'A file that was made.'}
        >
          <Preview ask={ask} attempt={attempt} turn={turn} name={open} />
        </Dialog>
      )}
    </>
  )
}

function ListPicture({ ask, attempt, turn = 0, name }: Place & { name: string }) {
  const { client } = useServices()
  const { data } = useQuery(`${ask.id} ${attempt} ${turn} ${name}`, () =>
    client.asks.file({ askId: ask.id, attempt, turn, name }),
  )
  return data ? <Thumbnail base64={data.base64} name={name} /> : null
}

/** Text as text, Markdown as it is meant, pictures as pictures; of anything else only how long it is. */
function Preview({ ask, attempt, turn = 0, name }: Place & { name: string }) {
  const { client } = useServices()
  const { data, problem } = useQuery(`${ask.id} ${attempt} ${turn} ${name}`, () =>
    client.asks.file({ askId: ask.id, attempt, turn, name }),
  )
  if (problem) return <ErrorNotice problem={problem} />
  if (!data) return <p className="p-4 text-muted">Reading…</p>
  const bytes = bytesOf(data.base64)
  if (isPicture(name)) return <Picture bytes={bytes} name={name} />
  const text = asText(bytes)
  if (text === null)
    return (
      <p className="p-4 text-muted">This is not text ({formatBytes(bytes.length)}). Save it to open it.</p>
    )
  const label = text.slice(0, SHOWN_CHARACTERS)
  return (
    <div className="min-h-0 overflow-y-auto p-4" tabIndex={0} role="region" aria-label={`What is in ${name}`}>
      {/\.(md|markdown)$/i.test(name) ? <Markdown text={label} /> : <Verbatim ground="">{label}</Verbatim>}
      {label.length < text.length ? (
        <p className="mt-2 text-sm text-muted">The rest is in the file.</p>
      ) : null}
    </div>
  )
}

function asText(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, 4096).includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
