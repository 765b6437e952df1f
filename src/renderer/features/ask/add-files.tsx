import { FolderPlus, Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../components/button'
import { IconButton } from '../../components/icon-button'
import { chosenFiles } from '../../ground/dropped-files'

/** Buttons that take files, or a folder with all that is in it. */
export function AddFiles(props: {
  /** What they are for: `the task`. */
  what: string
  /** Icons alone, where there is little room. Default false. */
  small?: boolean
  onAdd(files: readonly { readonly file: File; readonly folder: string }[]): void
}) {
  const { what, small = false, onAdd } = props
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
  const button = (icon: typeof Paperclip, label: string, ref: typeof files) =>
    small ? (
      <IconButton icon={icon} label={label} onClick={() => ref.current?.click()} />
    ) : (
      <Button look="quiet" size="small" icon={icon} onClick={() => ref.current?.click()}>
        {label}
      </Button>
    )
  return (
    <>
      {input(files, `Files for ${what}`, false)}
      {input(folder, `A folder for ${what}`, true)}
      {button(Paperclip, 'Add files', files)}
      {button(FolderPlus, 'Add a folder', folder)}
    </>
  )
}
