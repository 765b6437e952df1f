/** How far something is; `total` null or 0 shows movement without a measure. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number | null }) {
  const share = total && total > 0 ? Math.min(1, done / total) : null
  return (
    <div
      role="progressbar"
      aria-label={label}
      {...(share === null
        ? {}
        : { 'aria-valuenow': Math.round(share * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 })}
      className="h-1 w-full overflow-hidden rounded-full bg-hover"
    >
      {share === null ? (
        <div className="sweeping h-full w-1/3 rounded-full bg-accent" />
      ) : (
        <div className="h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      )}
    </div>
  )
}
