import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { ErrorNotice } from '../components/error-notice'
import { Loading } from '../components/loading'
import { errorShape } from '../stores/error-shape'
import { useReconnected } from './connected'

/** What the host answered to a question of one part of the screen. */
export interface Query<T> {
  /** The last good answer about the subject; stays while it is asked for again. */
  readonly data: T | null
  readonly problem: LoamErrorShape | null
  /** True until the newest question is answered. */
  readonly loading: boolean
  /** Asks again. */
  reload(): void
  /** What stands in the place of the answer while there is none: why not, or that `what` is being read. */
  unread(what: string): ReactNode
}

/** Stands where nothing is asked, and is not called. */
const never = (): Promise<never> => Promise.reject(new Error('Nothing was asked.'))

interface Answer<T> {
  readonly subject: string
  readonly asked: string
  readonly data: T | null
  readonly problem: LoamErrorShape | null
}

/**
 * Asks the host when the part appears, whenever `subject` or `version` changes, on `reload`, and again where the connection was lost
 * and is back. An answer about another subject is never shown, and answers that come too late are dropped. `ask` null asks nothing.
 */
export function useQuery<T>(
  subject: string,
  ask: ((signal: AbortSignal) => Promise<T>) | null,
  version: string | number = '',
  /** How long to wait for what is asked to settle, as while somebody types, in ms. Default 0. */
  pauseMs = 0,
): Query<T> {
  const [answer, setAnswer] = useState<Answer<T> | null>(null)
  const [again, setAgain] = useState(0)
  const question = useEffectEvent((signal: AbortSignal): Promise<T> => (ask ?? never)(signal))
  const askedQuestion = `${subject}\n${version}\n${again}`
  const asks = ask !== null
  useEffect(() => {
    if (!asks) return
    const abort = new AbortController()
    const put = (input: Pick<Answer<T>, 'data' | 'problem'>) => {
      if (!abort.signal.aborted) setAnswer({ subject, asked: askedQuestion, ...input })
    }
    const begin = () =>
      question(abort.signal).then(
        (data) => put({ data, problem: null }),
        (error: unknown) => put({ data: null, problem: errorShape(error) }),
      )
    const timer = pauseMs > 0 ? setTimeout(() => void begin(), pauseMs) : null
    if (timer === null) void begin()
    return () => {
      abort.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [subject, askedQuestion, asks, pauseMs])
  useReconnected(() => {
    if (answer?.problem?.code === 'CONNECTION_LOST') setAgain((count) => count + 1)
  })
  const own = asks && answer?.subject === subject ? answer : null
  const problem = own?.problem ?? null
  const reload = () => setAgain((count) => count + 1)
  return {
    data: own?.data ?? null,
    problem,
    loading: asks && own?.asked !== askedQuestion,
    reload,
    unread: (what) =>
      problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={reload} /> : <Loading what={what} />,
  }
}
