import { Tooltip } from 'radix-ui'
import { useEffect } from 'react'
import { useStored } from '../stores/use-services'
import { ConnectionBanner } from './connection-banner'
import { QUICK } from './screen-parts'
import { showTheme } from './theme'

/** The frame around a quick ask. */
export function QuickShell() {
  const theme = useStored('settings', (state) => state.settings?.theme ?? 'system')
  useEffect(() => showTheme(theme), [theme])
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
    </Tooltip.Provider>
  )
}
