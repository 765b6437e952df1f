import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LoamClient } from '../client-type'
import { pageAddress } from '../stores/follow-location'
import { isQuickPage } from '../stores/location'
import { createServices, type Services } from '../stores/services'
import { ServicesContext } from '../stores/use-services'
import { warmWhileIdle } from '../ground/on-demand'
import { AppShell } from './app-shell'
import { QuickShell } from './quick-shell'
import { SCREEN_PARTS, TRANSFER } from './screen-parts'

/** The whole window over a connection that stands, or the page of a quick ask, as the address says. */
export function Workshop({ client }: { client: LoamClient }) {
  const isQuick = useSyncExternalStore(onAddress, () => isQuickPage(window.location.hash))
  return <Page key={String(isQuick)} client={client} isQuick={isQuick} />
}

function onAddress(getChange: () => void): () => void {
  window.addEventListener('popstate', getChange)
  return () => window.removeEventListener('popstate', getChange)
}

/** The stores of the page, followed as long as it is drawn, and the frame with what is in it. */
function Page({ client, isQuick }: { client: LoamClient; isQuick: boolean }) {
  const [services, setServices] = useState<Services | null>(null)
  useEffect(() => {
    const created = createServices(client, { tells: !isQuick })
    const stop = created.start(isQuick ? undefined : pageAddress())
    setServices(created)
    return stop
  }, [client, isQuick])
  // Screens that are not open are loaded once the one that is has had its turn, so that going there shows them at once.
  useEffect(() => {
    if (services && !isQuick) void warmWhileIdle([...Object.values(SCREEN_PARTS), TRANSFER])
  }, [services, isQuick])
  if (!services) return null
  return <ServicesContext value={services}>{isQuick ? <QuickShell /> : <AppShell />}</ServicesContext>
}
