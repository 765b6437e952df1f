import type { ReactNode } from 'react'

/** A part of the composer: what it asks on the left, the answers on the right; stacked where there is little room. */
export function Section(props: { title: ReactNode; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-x-8 gap-y-3 border-t py-5 first:border-t-0 first:pt-0 max-[1000px]:flex-col">
      <div className="w-52 shrink-0 max-[1000px]:w-full">
        <h2 className="font-medium">{props.title}</h2>
        {props.lead ? <p className="mt-0.5 text-sm text-muted">{props.lead}</p> : null}
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-4">{props.children}</div>
    </div>
  )
}

/** What is wrong at a place of the form. */
export function Wrong({ words }: { words: readonly string[] }) {
  return words.map((each) => (
    <p key={each} role="status" className="text-sm text-notice">
      {each}
    </p>
  ))
}
