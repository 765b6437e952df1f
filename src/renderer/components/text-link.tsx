import type { ReactNode } from 'react'

/** A way to somewhere else within a sentence. */
export function TextLink({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <button type="button" className="rounded-sm text-accent underline underline-offset-3" onClick={onClick}>
      {children}
    </button>
  )
}
