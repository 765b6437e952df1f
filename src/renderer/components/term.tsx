import { Tooltip } from 'radix-ui'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { GLOSSARY, type GlossaryTerm } from './glossary'

/** A paper's term, dotted-underlined; hover or focus shows one sentence and its source. */
export function Term({ name, children }: { name: GlossaryTerm; children?: ReactNode }) {
  const [meaning, source] = GLOSSARY[name]
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <Word aria-description={`${meaning} ${source}`}>{children ?? name}</Word>
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

/** Described before the tooltip is there, so that the sentence is said once, with the term. */
const Word = (word: ComponentPropsWithRef<'span'>) => (
  <span
    tabIndex={0}
    {...word}
    aria-describedby={undefined}
    className="cursor-help rounded-sm underline decoration-line-strong decoration-dotted underline-offset-3"
  />
)
