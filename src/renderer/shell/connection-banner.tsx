import { Unplug } from '../components/icons'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { connection, type ConnectionState } from '../client'

/** Shown while the host does not answer; what is on screen stays readable meanwhile. That it answers again is said, and seen by its being gone. */
export function ConnectionBanner() {
  const state = useStore(connection)
  const words = bannerWords(state)
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (words !== null) setLost(true)
  }, [words])
  if (words === null && !isLost) return null
  return (
    <div
      role="status"
      className={
        words === null
          ? 'sr-only'
          : 'flex items-center gap-2 border-b bg-notice-soft px-4 py-2 text-sm text-notice'
      }
    >
      {words === null ? null : <Unplug size={16} aria-hidden className="shrink-0" />}
      <span>{words ?? 'Loam’s host answers again.'}</span>
    </div>
  )
}

function bannerWords(state: ConnectionState): string | null {
  switch (state.status) {
    case 'connected':
      return null
    case 'connecting':
      return 'Connecting to Loam’s host again…'
    case 'waiting':
      return 'Loam’s host does not answer. Trying again by itself; what is on screen stays as it was.'
    case 'refused':
      return `${state.problem.cause} ${state.problem.suggestion}`
  }
}
