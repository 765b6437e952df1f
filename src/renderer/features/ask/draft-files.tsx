import { X } from 'lucide-react'
import { formatBytes } from '../../components/format'
import type { DraftFile } from '../../stores/asks'

/** Files that go with what is being written; each can be left out. */
export function DraftFiles({
  files,
  onChange,
}: {
  files: readonly DraftFile[]
  onChange: (files: readonly DraftFile[]) => void
}) {
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5 px-3 pb-2">
      {files.map(({ name, bytes }) => (
        <li key={name} className="flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-sm">
          <span className="max-w-60 truncate">{name}</span>
          <span className="text-xs text-muted">{formatBytes(bytes)}</span>
          <button
            type="button"
            aria-label={`Leave out ${name}`}
            onClick={() => onChange(files.filter((file) => file.name !== name))}
            className="rounded p-1 text-muted hover:bg-hover hover:text-ink"
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
