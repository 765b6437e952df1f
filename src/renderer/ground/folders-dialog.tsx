import { FolderPlus, RotateCw, Trash2 } from '../components/icons'
import { useEffect, useRef, useState } from 'react'
import type { IndexedFolder } from '../../shared/domain/files'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { ErrorNotice } from '../components/error-notice'
import { SmallFold } from '../components/fold'
import { fileName, formatWhen, plural } from '../components/format'
import { IconButton } from '../components/icon-button'
import { ProgressBar } from '../components/progress-bar'
import { FolderBrowser } from './folder-browser'
import { FormDialog } from './form-dialog'
import { useAttempt } from './use-attempt'
import { useQuery } from './use-query'
import { refusalOf } from '../stores/error-shape'
import { useServices, useStored } from '../stores/use-services'

/** What lies over the list of folders. */
type Over = null | 'browsing' | { readonly remove: IndexedFolder }

/**
 * The folders that a memory reads: what it has of them, adding one, bringing them in step, and reading one no longer. With a project, those that its
 * asks alone recall.
 */
export function FoldersDialog(props: {
  memoryId: string
  /** Null: of no project and of all of them. */
  project: string | null
  onClose(): void
}) {
  const { memoryId, project, onClose } = props
  const { client, items } = useServices()
  const native = useStored('info', (state) => state.data?.host === 'electron')
  const [over, setOver] = useState<Over>(null)
  const { attempt, problem, clear } = useAttempt()
  const newest = useStored('jobs', (state) =>
    state.data.find(({ kind, subject }) => kind === 'documents' && subject === memoryId),
  )
  const running = newest?.status === 'running' ? newest : null
  const version = newest ? `${newest.id} ${newest.status}` : ''
  const { data: all, unread, reload } = useQuery(memoryId, () => client.files.list({ memoryId }), version)
  const data = project === null ? all : (all?.filter((folder) => folder.project === project) ?? null)
  const refObject = useRef(version)
  useEffect(() => {
    if (refObject.current === version) return
    refObject.current = version
    if (running === null) void items.getState().reload()
  }, [version, running, items])
  const choose = async () => {
    clear()
    if (!native) return setOver('browsing')
    await attempt(async () => {
      const paths = await client.models.choose({ what: 'folder' })
      if (paths === null) setOver('browsing')
      for (const path of paths ?? []) await client.files.add({ memoryId, path, project })
    })
  }
  const sync = (folderId: string | null) => void attempt(() => client.files.sync({ memoryId, folderId }))
  return (
    <>
      <Dialog
        onClose={onClose}
        title={project === null ? 'My files' : `Files of “${project}”`}
        description={`Folders that ${project === null ? 'agents of this memory' : 'asks of this project alone'} may read. What fits a task is recalled, with file and lines.`}
      >
        <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
          {problem && over === null ? <ErrorNotice problem={problem} /> : null}
          {newest?.status === 'failed' && newest.problem ? <ErrorNotice problem={newest.problem} /> : null}
          {running ? (
            <div role="status" className="flex flex-col gap-1.5 text-sm">
              <span className="truncate">{running.activity}</span>
              <ProgressBar label="Reading" done={running.done} total={running.total} />
            </div>
          ) : null}
          {data === null ? (
            unread('the folders')
          ) : data.length === 0 ? (
            <p className="text-sm text-muted">
              No folder yet. Notes, manuals and code may go in: text, PDF, Word, Excel, PowerPoint and HTML.
            </p>
          ) : (
            <ul aria-label="Folders" className="divide-y rounded-md border">
              {data.map((folder) => (
                <FolderRow
                  key={folder.id}
                  folder={folder}
                  project={project === null ? folder.project : null}
                  busy={running !== null}
                  onSync={() => sync(folder.id)}
                  onRemove={() => setOver({ remove: folder })}
                />
              ))}
            </ul>
          )}
        </div>
        <div className="flex justify-end gap-2 border-t p-3">
          {data !== null && data.length > 1 ? (
            <Button icon={RotateCw} disabled={running !== null} onClick={() => sync(null)}>
              Sync all folders
            </Button>
          ) : null}
          <Button look="primary" icon={FolderPlus} onClick={() => void choose()}>
            Add a folder
          </Button>
        </div>
      </Dialog>
      {over === 'browsing' ? (
        <FolderBrowser
          title="Add a folder"
          description="Agents of this memory may read the text files in it. Nothing is copied or changed."
          files="none"
          note={null}
          problem={problem}
          onAdd={(path) => attempt(() => client.files.add({ memoryId, path, project }))}
          onClose={() => {
            clear()
            setOver(null)
          }}
        />
      ) : over === null ? null : (
        <FormDialog
          title="Stop reading this folder?"
          description="Its passages are recalled no more, and their pins and notes go. The files stay."
          submit={{ label: 'Remove it' }}
          onSubmit={() =>
            refusalOf(
              client.files.remove({ memoryId, folderId: over.remove.id }).then(() => {
                reload()
                return items.getState().reload()
              }),
            )
          }
          onClose={() => setOver(null)}
        >
          <p className="font-mono text-xs break-all">{over.remove.path}</p>
        </FormDialog>
      )}
    </>
  )
}

/** A folder that a memory reads: what it has of it, when that was last in step, and what could not be read. */
function FolderRow(props: {
  folder: IndexedFolder
  /** The project that it is read for, where that is to be said; null else. */
  project: string | null
  /** Folders are being read. */
  busy: boolean
  onSync(): void
  onRemove(): void
}) {
  const { folder, project, busy, onSync, onRemove } = props
  const { path, files, passages, syncedAt, left, isThere } = folder
  const name = fileName(path)
  return (
    <li className="flex gap-2 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{name}</p>
        <p className="font-mono text-xs break-all text-muted">{path}</p>
        <p className="text-sm text-muted">
          {plural(files, 'file')}, {plural(passages, 'passage')};{' '}
          {syncedAt === null ? 'not read yet' : `in step ${formatWhen(syncedAt)}`}
          {project === null ? '' : `; for project ${project} alone`}
        </p>
        {isThere ? null : (
          <p className="text-sm text-notice">
            The folder is not there now; what was read of it is still recalled.
          </p>
        )}
        {left.length > 0 ? (
          <SmallFold title={`${plural(left.length, 'file')} could not be read`} look="text-sm text-notice">
            <ul className="mt-1 max-h-40 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-sm">
              {left.map((one) => (
                <li key={one.path}>
                  <span className="font-mono text-xs break-all">{one.path}</span>: {one.why}
                </li>
              ))}
            </ul>
          </SmallFold>
        ) : null}
      </div>
      <IconButton icon={RotateCw} label={`Bring ${name} in step`} disabled={busy} onClick={onSync} />
      <IconButton icon={Trash2} label={`Remove ${name}`} disabled={busy} onClick={onRemove} />
    </li>
  )
}
