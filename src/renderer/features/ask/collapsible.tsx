import { useState } from 'react'
import { plural } from '../../components/format'
import { Verbatim } from '../../components/verbatim'

const SHOWN_LINES = 12
const SHOWN_CHARACTERS = 1200

/** Text of any length as it was written, its end folded away while it is long. */
export function Long({ text, label }: { text: string; label: string }) {
  const [all, setAll] = useState(false)
  const lines = text.split('\n')
  const cut = lines.slice(0, SHOWN_LINES).join('\n').slice(0, SHOWN_CHARACTERS)
  const long = cut.length < text.length
  return (
    <div className="rounded-md bg-sunken">
      <Verbatim label={label} ground="px-2.5 py-2">
        {all ? text : cut}
      </Verbatim>
      {long ? (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="w-full rounded-b-md border-t px-2.5 py-1 text-left text-xs text-muted hover:text-ink"
        >
          {all ? 'Show less' : `Show all (${plural(lines.length, 'line')})`}
        </button>
      ) : null}
    </div>
  )
}
