import { useEffect, useState } from 'react'
import { createClient } from '../client'
import type { LoamErrorShape } from '../../shared/errors'
import { ErrorNotice } from '../components/error-notice'
import { Loading } from '../components/loading'
import { errorShape } from '../stores/error-shape'
import { pageAddress } from '../stores/follow-location'
import { createServices, type Services } from '../stores/services'
import { ServicesContext } from '../stores/use-services'
import { AppShell } from './app-shell'

/** The connection of this page. Kept outside React, because the one-time token in the address works only once. */
let connecting: ReturnType<typeof createClient> | null = null

/** Connects to the host and shows the app, or says why it cannot. */
export function Boot() {
  const [services, setServices] = useState<Services | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [attempt, setAttempt] = useState(1)

  useEffect(() => {
    let stop: (() => void) | null = null
    let isGone = false
    connecting ??= createClient()
    connecting.then(
      (client) => {
        if (isGone) return
        const created = createServices(client)
        stop = created.start(pageAddress())
        setServices(created)
      },
      (error: unknown) => {
        connecting = null
        if (!isGone) setProblem(errorShape(error))
      },
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [attempt])

  if (services) {
    return (
      <ServicesContext value={services}>
        <AppShell />
      </ServicesContext>
    )
  }
  return (
    <main className="mx-auto flex h-full max-w-lg flex-col justify-center p-6">
      {problem ? (
        <ErrorNotice
          problem={problem}
          alwaysRetry
          onRetry={() => {
            setProblem(null)
            setAttempt(attempt + 1)
          }}
        />
      ) : (
        <Loading what="your workshop" />
      )}
    </main>
  )
}
