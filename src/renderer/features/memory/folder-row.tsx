import { RotateCw, Trash2 } from 'lucide-react'
import type { IndexedFolder } from '../../../shared/domain/files'
import { fileName, formatWhen, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'

/** A folder that a memory reads: what it has of it, when that was last in step, and what could not be read. */
export function FolderRow(props: {
  folder: IndexedFolder
  /** Folders are being read. */
  busy: boolean
  onSync(): void
  onRemove(): void
}) {
  const { folder, busy, onSync, onRemove } = props
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
        </p>
        {isThere ? null : (
          <p className="text-sm text-notice">
            The folder is not there now; what was read of it is still recalled.
          </p>
        )}
        {left.length > 0 ? (
          <details>
            <summary className="w-fit cursor-pointer rounded-sm text-sm text-notice">
              {plural(left.length, 'file')} could not be read
            </summary>
            <ul className="mt-1 max-h-40 overflow-y-auto rounded-md bg-sunken px-3 py-2 text-sm">
              {left.map((one) => (
                <li key={one.path}>
                  <span className="font-mono text-xs break-all">{one.path}</span>: {one.why}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
      <IconButton icon={RotateCw} label={`Bring ${name} in step`} disabled={busy} onClick={onSync} />
      <IconButton icon={Trash2} label={`Remove ${name}`} disabled={busy} onClick={onRemove} />
    </li>
  )
}
