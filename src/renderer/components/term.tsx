import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { GLOSSARY, type GlossaryTerm } from './glossary'

/** A paper's term, dotted-underlined; hover or focus shows one sentence and its source. */
export function Term({ name, children }: { name: GlossaryTerm; children?: ReactNode }) {
  const [meaning, source] = GLOSSARY[name]
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <span
          tabIndex={0}
          className="cursor-help rounded-sm underline decoration-line-strong decoration-dotted underline-offset-3"
        >
          {children ?? name}
        </span>
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-70 max-w-72 rounded-lg border bg-surface px-3 py-2 text-sm text-ink shadow-menu"
        >
          {meaning}
          <span className="mt-1 block text-xs text-muted">{source}</span>
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
