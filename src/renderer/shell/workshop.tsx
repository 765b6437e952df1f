import { useEffect, useState } from 'react'
import type { LoamClient } from '../client-type'
import { pageAddress } from '../stores/follow-location'
import { createServices, type Services } from '../stores/services'
import { ServicesContext } from '../stores/use-services'
import { warmWhileIdle } from '../ground/on-demand'
import { AppShell } from './app-shell'
import { SCREEN_PARTS, TRANSFER } from './screen-parts'

/** The whole window over a connection that stands: its stores, followed as long as it is drawn, and the frame with the screens. */
export function Workshop({ client }: { client: LoamClient }) {
  const [services, setServices] = useState<Services | null>(null)
  useEffect(() => {
    const created = createServices(client)
    const stop = created.start(pageAddress())
    setServices(created)
    return stop
  }, [client])
  // Screens that are not open are loaded once the one that is has had its turn, so that going there shows them at once.
  useEffect(() => {
    if (services) void warmWhileIdle([...Object.values(SCREEN_PARTS), TRANSFER])
  }, [services])
  if (!services) return null
  return (
    <ServicesContext value={services}>
      <AppShell />
    </ServicesContext>
  )
}
