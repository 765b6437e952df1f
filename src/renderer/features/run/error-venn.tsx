import type { ErrorOverlap } from '../../../shared/domain/error-class'

/** Two circles: the tasks that failed in one run, in the other, and in both. */
export function ErrorVenn({ overlap }: { overlap: ErrorOverlap }) {
  const { compared, both, onlyA, onlyB } = overlap
  return (
    <figure className="w-[16rem]">
      <svg
        viewBox="0 0 256 150"
        role="img"
        aria-label={`Of ${compared} tasks, ${both.length} failed in both runs, ${onlyA.length} only in this one, ${onlyB.length} only in the other`}
      >
        <circle cx="98" cy="78" r="62" className="fill-accent/20 stroke-accent" strokeWidth="1.5" />
        <circle
          cx="158"
          cy="78"
          r="62"
          className="fill-line-strong/20 stroke-line-strong"
          strokeWidth="1.5"
        />
        <g className="fill-ink" textAnchor="middle" fontSize="18">
          <text x="66" y="84">
            {onlyA.length}
          </text>
          <text x="128" y="84">
            {both.length}
          </text>
          <text x="190" y="84">
            {onlyB.length}
          </text>
        </g>
        <g className="fill-muted" fontSize="11">
          <text x="20" y="11">
            This run
          </text>
          <text x="236" y="11" textAnchor="end">
            Other run
          </text>
          <text x="128" y="102" textAnchor="middle">
            both
          </text>
        </g>
      </svg>
      <figcaption className="text-center text-xs text-muted">
        Failed tasks, of {compared} that both runs tried
      </figcaption>
    </figure>
  )
}
