import type { ReactNode } from 'react'

/** One setting: its name, what it means, and the control (below the text when `wide`). */
export function SettingRow(props: { title: string; text: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={props.wide ? 'flex flex-col gap-3 p-4' : 'flex items-center gap-6 p-4'}>
      <div className="min-w-0 flex-1">
        <h2 className="font-medium">{props.title}</h2>
        <p className="max-w-xl text-sm text-muted">{props.text}</p>
      </div>
      {props.children}
    </div>
  )
}
