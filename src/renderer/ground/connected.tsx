import { useEffect, useEffectEvent, useRef } from 'react'
import { useStore } from 'zustand'
import type { LoamErrorShape } from '../../shared/errors'
import { connection } from '../client'

/** Whether the host answers. While it does not, what is on screen is what was last heard, not what is. */
export function useConnected(): boolean {
  return useStore(connection, (state) => state.status === 'connected')
}

/** Calls `act` each time the host answers again after it did not. */
export function useReconnected(act: () => void): void {
  const connected = useConnected()
  const before = useRef(connected)
  const again = useEffectEvent(act)
  useEffect(() => {
    if (connected && !before.current) again()
    before.current = connected
  }, [connected])
}

/** Says that something on screen is not live just now; `what` with its article and a capital, such as `The run`. */
export function LiveNote({ what, problem }: { what: string; problem: LoamErrorShape | null | undefined }) {
  const connected = useConnected()
  if (connected && !problem) return null
  return (
    <p role="status" className="text-sm text-notice">
      {connected
        ? `Live view interrupted, connecting again. ${what} itself goes on.`
        : `This is what was last heard. ${what} goes on if the host does; if it stopped, everything finished is kept.`}
    </p>
  )
}
