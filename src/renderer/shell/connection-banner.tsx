import { Unplug } from 'lucide-react'
import { useStore } from 'zustand'
import { connection, type ConnectionState } from '../client'

/** Shown while the host does not answer; what is on screen stays readable meanwhile. */
export function ConnectionBanner() {
  const state = useStore(connection)
  const words = bannerWords(state)
  if (words === null) return null
  return (
    <div
      role="status"
      className="flex items-center gap-2 border-b bg-notice-soft px-4 py-2 text-sm text-notice"
    >
      <Unplug size={16} aria-hidden className="shrink-0" />
      <span>{words}</span>
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
