import type { ReactNode } from 'react'

/** One figure of a list (`dl`): what it is, and below it how much. */
export function Figure({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="text-lg">{children}</dd>
    </div>
  )
}
