import { useEffect, useState } from 'react'

/** Says that something is being read, also in a part that is not shown before. Appears only after 200 ms, so that quick answers don't flicker. */
export function Loading({ what }: { what: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p role="status" data-reading className="visible p-6 text-center text-muted">
      {isShown ? `Reading ${what}…` : ''}
    </p>
  )
}
