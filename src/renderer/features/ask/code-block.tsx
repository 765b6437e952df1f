import type { ReactNode } from 'react'
import { CopyButton } from '../../ground/copy-button'
import { later } from '../../ground/on-demand'
import type { CodePart } from './highlight'

/** Characters up to which code is coloured: longer code is read as data, and colouring it would take long. */
const MOST_COLOURED = 50_000

/** What colours code, loaded when the first code is shown. Without colours it is read as well. */
const HIGHLIGHT = later(() => import('./highlight'))

const draw = (parts: readonly CodePart[]): ReactNode =>
  parts.map((part, i) =>
    typeof part === 'string' ? (
      part
    ) : (
      <span key={i} className={part.style}>
        {draw(part.parts)}
      </span>
    ),
  )

/** Code with its language and a button that copies it. `writing`: more of it comes, so it is coloured when it is whole. */
export function CodeBlock(props: { code: string; language: string; writing: boolean }) {
  const { code, language, writing } = props
  const mayColour = !writing && language !== '' && code.length <= MOST_COLOURED
  const highlight = HIGHLIGHT.use(mayColour)
  const parts = mayColour ? (highlight?.highlighted(code, language) ?? null) : null
  return (
    <div className="rounded-md bg-sunken">
      <div className="flex items-center justify-between gap-2 pl-3">
        <span className="text-xs text-muted">{language}</span>
        <CopyButton what="code" text={() => code} />
      </div>
      <pre className="code overflow-x-auto px-3 pb-2 text-xs leading-[1.125rem]" tabIndex={0}>
        <code>{parts ? draw(parts) : code}</code>
      </pre>
    </div>
  )
}
