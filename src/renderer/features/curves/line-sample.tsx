import type { LineLook } from './line-looks'

/** A short piece of a line, as in a legend. */
export function LineSample({ look }: { look: LineLook }) {
  return (
    <svg aria-hidden width="24" height="8" className="shrink-0">
      <line
        x1="0"
        x2="24"
        y1="4"
        y2="4"
        strokeWidth="2"
        strokeDasharray={look.dash.join(' ')}
        style={{ stroke: `var(${look.colour})` }}
      />
    </svg>
  )
}
