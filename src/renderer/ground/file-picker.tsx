import { useRef, type ReactNode } from 'react'
import { ROW_FILES, ROW_PACKS } from '../../shared/domain/own-tasks'

/** Endings of files that tasks are read from, as a picker takes them. */
export const ROW_ENDINGS = [...ROW_FILES, ...ROW_PACKS].map((ending) => `.${ending}`).join(',')

/** Lets a person choose files; `children` gets what opens the choice. */
export function FilePicker(props: {
  /** Its name, for those who do not see the button. */
  label: string
  /** Endings that are offered, such as `.jsonl,.json`. Default: any. */
  accept?: string
  /** Default: one. */
  multiple?: boolean
  onFiles(files: readonly File[]): void
  children: (pick: () => void) => ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={props.accept}
        multiple={props.multiple}
        aria-label={props.label}
        className="hidden"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // So that the same file can be chosen once more.
          event.target.value = ''
          if (files.length > 0) props.onFiles(files)
        }}
      />
      {props.children(() => input.current?.click())}
    </>
  )
}
