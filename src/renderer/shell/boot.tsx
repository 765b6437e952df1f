import { useEffect, useState } from 'react'
import { createClient } from '../client'
import type { LoamClient } from '../client-type'
import type { LoamErrorShape } from '../../shared/errors'
import { ErrorNotice } from '../components/error-notice'
import { Loading } from '../components/loading'
import { onDemand } from '../ground/on-demand'
import { errorShape } from '../stores/error-shape'

/** The connection of this page. Kept outside React, because the one-time token in the address works only once. */
let connecting: ReturnType<typeof createClient> | null = null

/** Everything behind the connection, in a script of its own that comes while the page connects. */
const WORKSHOP = onDemand(async () => (await import('./workshop')).Workshop)

/** Connects to the host and shows the app, or says why it cannot. */
export function Boot() {
  // Within an object, since a client can be called, and React calls what it is set to.
  const [connection, setConnection] = useState<{ readonly client: LoamClient } | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [attempt, setAttempt] = useState(1)

  useEffect(() => {
    let isGone = false
    connecting ??= createClient()
    const workshop = WORKSHOP.warm()
    connecting.then(
      async (client) => {
        await workshop
        if (!isGone) setConnection({ client })
      },
      (error: unknown) => {
        connecting = null
        if (!isGone) setProblem(errorShape(error))
      },
    )
    return () => {
      isGone = true
    }
  }, [attempt])

  if (connection) return <WORKSHOP.Part client={connection.client} />
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
