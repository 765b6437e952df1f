import { FolderPlus, X } from '../components/icons'
import { use, useState, type ReactNode } from 'react'
import { IconButton } from '../components/icon-button'
import { Switch } from '../components/switch'
import { TitleAndLead } from '../components/title-and-lead'
import { LineForm } from './line-form'
import { NumberBox } from './number-field'
import { HeadingInside } from './titled-section'

/** One setting: its name, what it means, and the control (below the text when `wide`). */
export function SettingRow(props: { title: string; text: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={props.wide ? 'flex flex-col gap-3 p-4' : 'flex items-center gap-6 p-4'}>
      <TitleAndLead
        as={use(HeadingInside)}
        title={props.title}
        lead={<span className="block max-w-xl">{props.text}</span>}
      />
      {props.children}
    </div>
  )
}

interface RowProps {
  title: string
  text: string
  /** Its name where the title says too little. Default: the title. */
  name?: string
}

/** A setting that is on or off. */
export function SwitchRow(props: RowProps & { checked: boolean; onChange(isChecked: boolean): void }) {
  return (
    <SettingRow title={props.title} text={props.text}>
      <Switch label={props.name ?? props.title} checked={props.checked} onChange={props.onChange} />
    </SettingRow>
  )
}

/** A setting that is a whole number. */
export function NumberRow(
  props: RowProps & {
    value: number
    bounds: readonly [number, number]
    onChange(value: number): void
    /** Behind the number. */
    children?: ReactNode
  },
) {
  return (
    <SettingRow title={props.title} text={props.text}>
      <div className="flex items-center gap-3">
        <NumberBox
          label={props.name ?? props.title}
          className="w-24"
          value={props.value}
          bounds={props.bounds}
          onChange={props.onChange}
        />
        {props.children}
      </div>
    </SettingRow>
  )
}

/** A setting that is a line of text, or nothing; it counts once it is left or confirmed. */
export function LineRow(
  props: RowProps & { example: string; value: string | null; onChange(value: string | null): void },
) {
  const [text, setText] = useState(props.value ?? '')
  const commit = () => {
    const next = text.trim() === '' ? null : text.trim()
    if (next !== props.value) props.onChange(next)
  }
  return (
    <SettingRow title={props.title} text={props.text} wide>
      <input
        aria-label={props.name}
        placeholder={`For example: ${props.example}`}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit()
        }}
        className="h-8 rounded-md border bg-surface px-2.5 placeholder:text-faint"
      />
    </SettingRow>
  )
}

interface FolderListProps {
  /** What the folders are for, after "Folder": "to search for models". */
  purpose: string
  folders: readonly string[]
  onChange(folders: string[]): Promise<void>
}

/** Folders that a person names one by one. */
export function FolderList({ purpose, folders, onChange }: FolderListProps) {
  const add = async (folder: string) => {
    if (!folders.includes(folder)) await onChange([...folders, folder])
    return null
  }
  return (
    <div className="flex flex-col gap-2">
      {folders.length > 0 ? (
        <ul className="divide-y rounded-md border">
          {folders.map((folder) => (
            <li key={folder} className="flex items-center gap-2 py-1 pr-1 pl-2.5">
              <span className="min-w-0 flex-1 font-mono text-xs break-all">{folder}</span>
              <IconButton
                icon={X}
                label={`Remove ${folder}`}
                className="size-7"
                onClick={() => void onChange(folders.filter((other) => other !== folder))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <LineForm
        label={`Folder ${purpose}`}
        placeholder="Full path of a folder"
        button={{ label: 'Add folder', icon: FolderPlus }}
        onSubmit={add}
      />
    </div>
  )
}
