import { Tooltip } from 'radix-ui'
import { useEffect } from 'react'
import { ConnectionBanner } from './connection-banner'
import { QUICK } from './screen-parts'
import { Sayings } from './toasts'
import { useLooks } from './use-looks'

/** The frame around a quick ask. */
export function QuickShell() {
  useLooks()
  useEffect(() => {
    document.title = 'Quick ask · Loam'
  }, [])
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <div className="flex h-full flex-col">
        <ConnectionBanner />
        <div className="min-h-0 flex-1">
          <QUICK.Part />
        </div>
      </div>
      <Sayings />
    </Tooltip.Provider>
  )
}
