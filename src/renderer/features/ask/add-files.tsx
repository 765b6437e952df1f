import { FolderPlus, MessagesSquare, Paperclip, X } from '../../components/icons'
import { useRef, useState } from 'react'
import { createSerial } from '../../../shared/serial'
import { Button } from '../../components/button'
import { formatBytes } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { readFileBase64 } from '../../ground/bytes'
import { chosenFiles } from '../../ground/dropped-files'
import { isServed } from '../../ground/model-choice'
import type { DraftFile } from '../../stores/next-messages'
import type { LocalFile } from '../../stores/ui'
import { AddAskDialog } from './add-ask'
import { isPicture, Thumbnail } from './picture'

/** Buttons that take files, a folder with all that is in it, or what was said in another ask. */
export function AddFiles(props: {
  /** What they are for: `the task`. */
  what: string
  /** Icons alone, where there is little room. Default false. */
  small?: boolean
  /** The ask that is written in; null for a new one. */
  askId: string | null
  onAdd(files: readonly LocalFile[]): void
}) {
  const { what, small = false, askId, onAdd } = props
  const [isChoosing, setIsChoosing] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const input = (ref: typeof files, label: string, whole: boolean) => (
    <input
      ref={ref}
      type="file"
      multiple
      {...(whole && { webkitdirectory: '' })}
      aria-label={label}
      className="hidden"
      onChange={(event) => {
        const foundFiles = chosenFiles([...(event.target.files ?? [])])
        event.target.value = ''
        onAdd(foundFiles)
      }}
    />
  )
  const button = (icon: typeof Paperclip, label: string, onClick: () => void) =>
    small ? (
      <IconButton icon={icon} label={label} onClick={onClick} />
    ) : (
      <Button look="quiet" size="small" icon={icon} onClick={onClick}>
        {label}
      </Button>
    )
  return (
    <>
      {input(files, `Files for ${what}`, false)}
      {input(folder, `A folder for ${what}`, true)}
      {button(Paperclip, 'Add files', () => files.current?.click())}
      {button(FolderPlus, 'Add a folder', () => folder.current?.click())}
      {button(MessagesSquare, 'Add another ask', () => setIsChoosing(true))}
      {isChoosing ? <AddAskDialog {...{ askId, onAdd }} onClose={() => setIsChoosing(false)} /> : null}
    </>
  )
}

/** Files that go with what is being written; each can be left out. */
export function DraftFiles({
  files,
  model,
  onChange,
}: {
  files: readonly DraftFile[]
  /** Who is to answer; null while nobody is. */
  model: string | null
  onChange: (files: readonly DraftFile[]) => void
}) {
  return (
    <>
      <ul aria-label="Files" className="flex flex-wrap gap-1.5 px-3 py-2">
        {files.map(({ name, bytes, base64 }) => (
          <li key={name} className="flex items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 text-sm">
            {isPicture(name) ? <Thumbnail base64={base64} name={name} /> : null}
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
      {model !== null && !isServed(model) && files.some(({ name }) => isPicture(name)) ? (
        <p className="px-3 pb-2 text-xs text-notice">
          Loam cannot show pictures to a model file yet. A model that sees, at a server such as Ollama or
          llama-server, is shown them.
        </p>
      ) : null}
    </>
  )
}

/** A file that a person chose or dropped, read. */
interface ReadFile extends DraftFile {
  readonly folder: string
}

/** Reads what a person chose or dropped. */
async function readFiles(files: readonly LocalFile[]): Promise<ReadFile[]> {
  const read: ReadFile[] = []
  for (const { file, folder } of files) {
    read.push({ name: file.name, base64: await readFileBase64(file), bytes: file.size, folder })
  }
  return read
}

/** Files with a name of their own each, those that were there first; a name that is taken gets its folder's, then a number. */
export function withFiles(before: readonly DraftFile[], files: readonly ReadFile[]): DraftFile[] {
  const all = [...before]
  const isTaken = (name: string) => all.some((one) => one.name.toLowerCase() === name.toLowerCase())
  for (const { folder, ...file } of files) {
    let { name } = file
    if (isTaken(name) && folder !== '') name = `${folder.replaceAll('/', '-')}-${name}`
    for (let n = 2; isTaken(name); n++) name = `${n}-${file.name}`
    all.push({ ...file, name })
  }
  return all
}

/** Takes files over one lot after the other, in the order they came: of two that are pasted in a row neither is lost. */
export function useFiles(
  take: (files: readonly ReadFile[]) => void,
): (filesPromise: Promise<readonly LocalFile[]>) => void {
  const [inTurn] = useState(createSerial)
  return (filesPromise) => void inTurn(async () => take(await readFiles(await filesPromise)))
}
