import { Box, CornerLeftUp, Folder } from '../components/icons'
import { useEffect, useId, useRef, useState } from 'react'
import type { FolderView } from '../../shared/domain/folder-view'
import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { ErrorNotice } from '../components/error-notice'
import { Form } from '../components/form'
import { formatBytes } from '../components/format'
import { Loading } from '../components/loading'
import { SwitchLine } from '../components/switch'
import { useServices } from '../stores/use-services'
import { moveInList, RecordOption, RecordWords } from './record-list'
import { useQuery } from './use-query'

interface FolderBrowserProps {
  readonly title: string
  /** One sentence under the title. */
  readonly description: string
  /** What is chosen beside folders: model files, or nothing else. */
  readonly files: 'models' | 'none'
  /** Said above the list. */
  readonly note: string | null
  /** Why the last one was not added. */
  readonly problem: LoamErrorShape | null
  /** Resolves to whether it was added, which closes the dialog. */
  onAdd(path: string): Promise<boolean>
  onClose(): void
}

/** Looks into the folders of the machine that Loam runs on, for where a browser cannot: arrows move, Enter opens, Backspace goes up. */
export function FolderBrowser(props: FolderBrowserProps) {
  const { note, problem: refused, files, onAdd, onClose } = props
  const { client } = useServices()
  const [path, setPath] = useState<string | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [isHidden, setHidden] = useState(false)
  const [ownIndex, setOwnIndex] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const { data, problem, reload } = useQuery(`${path ?? ''}\n${isHidden}`, (signal) =>
    client.models.browse({ path, hidden: isHidden }, { signal }),
  )
  const view = useLast(data, files)
  const go = (to: string | null) => {
    setPath(to)
    setTyped(null)
    setOwnIndex(null)
  }
  const add = async (choice: string) => {
    setBusy(true)
    const isAdded = await onAdd(choice)
    setBusy(false)
    if (isAdded) onClose()
  }
  const open = (index: number) => {
    const entry = view?.entries[index]
    if (entry?.kind === 'folder') go(entry.path)
    else if (entry) void add(entry.path)
  }
  // A model whose path was written is the one in question.
  const at = ownIndex ?? Math.max(0, view?.entries.findIndex((entry) => entry.path === view.file) ?? 0)
  const chosenChoice = view?.entries[at]
  return (
    <Dialog
      onClose={onClose}
      title={props.title}
      description={props.description}
      className="h-[76vh] w-[min(680px,calc(100vw-32px))]"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 p-4">
        {note ? <p className="text-sm text-notice">{note}</p> : null}
        <Form
          className="flex gap-2"
          onSubmit={() => {
            if (typed?.trim()) go(typed.trim())
          }}
        >
          <Button
            icon={CornerLeftUp}
            disabled={!view?.parent}
            onClick={() => view?.parent && go(view.parent)}
          >
            Up
          </Button>
          <input
            aria-label="Folder"
            spellCheck={false}
            value={typed ?? view?.path ?? ''}
            onChange={(event) => setTyped(event.target.value)}
            className="h-8 min-w-0 flex-1 rounded-md border bg-surface px-2.5 font-mono text-xs"
          />
          <Button type="submit" disabled={!typed?.trim()}>
            Go
          </Button>
        </Form>
        <div className="flex flex-wrap items-center gap-2">
          {view?.starts.map((start) => (
            <Button key={start.path} size="small" look="quiet" onClick={() => go(start.path)}>
              {start.title}
            </Button>
          ))}
          <SwitchLine
            label="Hidden ones too"
            className="ml-auto"
            checked={isHidden}
            onChange={(on) => setHidden(on)}
          />
        </div>
        {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : null}
        {refused ? <ErrorNotice problem={refused} /> : null}
        {view ? (
          <Entries
            view={view}
            nothing={
              files === 'none'
                ? 'There is no folder in here.'
                : 'There is no folder, GGUF or ONNX file in here.'
            }
            at={at}
            onMove={setOwnIndex}
            onOpen={open}
            onUp={() => view.parent && go(view.parent)}
          />
        ) : problem ? null : (
          <Loading what="the folder" />
        )}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t p-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          {...(files === 'none' && { look: 'primary' as const })}
          disabled={!view || busy}
          onClick={() => view && void add(view.path)}
        >
          Add this folder
        </Button>
        {files === 'models' ? (
          <Button
            look="primary"
            disabled={chosenChoice?.kind !== 'model' || busy}
            onClick={() => chosenChoice && void add(chosenChoice.path)}
          >
            Add the file
          </Button>
        ) : null}
      </div>
    </Dialog>
  )
}

interface EntriesProps {
  readonly view: FolderView
  /** Said when there is nothing to choose. */
  readonly nothing: string
  readonly at: number
  onMove(at: number): void
  onOpen(index: number): void
  onUp(): void
}

function Entries({ view, nothing, at, onMove, onOpen, onUp }: EntriesProps) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const { entries } = view
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, view.path])
  return (
    <div ref={list} className="flex min-h-24 flex-1 flex-col overflow-y-auto rounded-md border">
      <p role="status" className="p-4 text-sm text-muted empty:hidden">
        {entries.length === 0 ? nothing : null}
      </p>
      <div
        role="listbox"
        // Nothing to choose is no stop of the Tab key; whoever opened it from here stays here.
        tabIndex={entries.length === 0 ? -1 : 0}
        aria-label="What is in the folder"
        aria-activedescendant={entries.length > 0 ? `${base}-${at}` : undefined}
        className="min-h-4 flex-1 -outline-offset-2"
        onKeyDown={(event) => {
          if (event.key === 'Enter') onOpen(at)
          else if (event.key === 'Backspace') onUp()
          else moveInList(event, { at, count: entries.length, open: onMove })
        }}
      >
        {entries.map((entry, index) => (
          <RecordOption
            key={entry.path}
            id={`${base}-${index}`}
            open={index === at}
            place={{ index, count: entries.length }}
            onOpen={() => (index === at || entry.kind === 'folder' ? onOpen(index) : onMove(index))}
          >
            {entry.kind === 'folder' ? (
              <Folder size={15} aria-label="Folder" className="mt-0.75 shrink-0 text-muted" />
            ) : (
              <Box size={15} aria-label="Model" className="mt-0.75 shrink-0 text-accent" />
            )}
            <RecordWords title={entry.name}>
              {entry.sizeBytes === null ? null : formatBytes(entry.sizeBytes)}
            </RecordWords>
          </RecordOption>
        ))}
      </div>
      {view.more ? <p className="p-3 text-sm text-muted">There is more; write the path above.</p> : null}
    </div>
  )
}

/** The last folder that could be read, so that a refused one leaves it in place, with what of it can be chosen. */
function useLast(view: FolderView | null, files: FolderBrowserProps['files']): FolderView | null {
  const [last, setLast] = useState(view)
  if (view !== null && view !== last) setLast(view)
  const shownView = view ?? last
  if (shownView === null || files === 'models') return shownView
  return { ...shownView, entries: shownView.entries.filter(({ kind }) => kind === 'folder') }
}
