import { ArrowDown, Copy } from '../../components/icons'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { answerOf, keptAttempts, type AskDetail } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { isCovered, useKeydown } from '../../ground/keys'
import { useHeightAs } from '../../ground/use-height-as'
import { useServices, useStored } from '../../stores/use-services'
import { ANEW, AskHeader } from './ask-header'
import { Asked } from './ask-summary'
import { FindBar, isFind } from './find-bar'
import { MessageView } from './message-view'
import { QueueList } from './queue-list'
import { ReplyBox } from './reply-box'
import { SendHint } from './send-hint'
import { useFollow } from './use-follow'

/** One ask: what was said, how it is worked on or was, what came out, and what is to be learned from it. */
export function AskView({ detail }: { detail: AskDetail }) {
  const { client, asks } = useServices()
  const { ask, turns, live, queue } = detail
  const attempts = keptAttempts(detail)
  const refused = useStored('asks', (state) => state.refused)
  const retry = () => void asks.getState().command(() => client.asks.retry({ askId: ask.id }))
  const [view, setShown] = useState<Readonly<Record<number, number | null>>>({})
  const active = ask.status === 'waiting' || ask.status === 'working'
  const { pane, content, away, toEnd } = useFollow(active)
  const [finding, setFinding] = useState(false)
  useKeydown((event) => {
    if (finding || !isFind(event) || isCovered()) return
    event.preventDefault()
    setFinding(true)
  })
  useSeen(detail)
  useAnswerSaid(detail, active)
  const last = turns.findLastIndex(({ removed }) => !removed)
  const workingOn = live?.turn ?? last
  const [before, setBefore] = useState({ active, tries: attempts.length })
  if (active !== before.active || attempts.length !== before.tries) {
    setBefore({ active, tries: attempts.length })
    // Whoever begins another try sees that one, whichever was looked at before; a quick one is over before it is seen.
    if (!before.active && (active || attempts.length > before.tries))
      setShown({
        ...view,
        [attempts.length > before.tries ? (attempts.at(-1)?.turn ?? last) : workingOn]: null,
      })
  }
  const choice = attempts.find(({ index }) => index === view[last])?.index
  const after = choice ?? attempts.findLast(({ turn }) => turn === last)?.index ?? attempts.at(-1)?.index
  return (
    <div className="flex h-full flex-col">
      {finding ? <FindBar within={content} onClose={() => setFinding(false)} /> : null}
      <div ref={pane} data-follows className="min-h-0 flex-1 overflow-y-auto">
        <article
          ref={content}
          className="mx-auto flex max-w-5xl flex-col gap-5 p-6 has-data-beside:max-w-6xl has-data-beside:max-[1000px]:px-3"
        >
          <AskHeader detail={detail} active={active} onRetry={retry} onFind={() => setFinding(true)} />
          {refused ? <ErrorNotice problem={refused} /> : null}
          <Asked detail={detail} />
          {turns.map((turn, index) =>
            turn.removed ? null : (
              <MessageView
                key={index}
                detail={detail}
                turn={turn}
                index={index}
                active={active && index === workingOn}
                newest={index === last}
                shown={view[index] ?? null}
                onShow={(attempt) => setShown({ ...view, [index]: attempt })}
              />
            ),
          )}
          {ask.problem && !active ? (
            <ErrorNotice
              problem={ask.problem}
              alwaysRetry
              onRetry={retry}
              action={
                <Button size="small" icon={Copy} onClick={() => void asks.getState().rewrite()}>
                  {ANEW}
                </Button>
              }
            />
          ) : null}
          {ask.status === 'stopped' && !ask.problem && attempts.at(-1)?.trajectory.finish !== 'stopped' ? (
            <p className="text-muted">
              {ask.origin !== null && last < ask.origin.turns
                ? `Nobody has answered the last message. “Try again” asks a model of yours.`
                : attempts.some(({ turn }) => turn === last)
                  ? 'The last try was stopped before it wrote anything. Those before it are above.'
                  : 'It was stopped before it wrote anything.'}
            </p>
          ) : null}
        </article>
      </div>
      {active || after !== undefined ? (
        <Foot>
          {away ? (
            <Button icon={ArrowDown} className="absolute -top-10 left-1/2 -translate-x-1/2" onClick={toEnd}>
              To the end
            </Button>
          ) : null}
          <div className="mx-auto flex max-w-5xl flex-col gap-1.5 px-6 pt-3 pb-2 print:hidden">
            <QueueList ask={ask} queue={queue} active={active} after={after ?? null} />
            <ReplyBox ask={ask} active={active} after={after ?? null} />
            <SendHint
              memoryId={ask.spec.memoryId}
              project={ask.folder}
              remember={ask.spec.remember}
              temporary={ask.temporary}
              enter={active ? 'sends it next' : 'sends'}
              after={active || after === undefined ? undefined : detail.attempts[after]}
            />
          </div>
        </Foot>
      ) : null}
    </div>
  )
}

/** What is docked below an ask. Notes stand above it. */
function Foot({ children }: { children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null)
  useHeightAs('--foot', foot)
  return (
    <div ref={foot} className="relative border-t bg-surface">
      {children}
    </div>
  )
}

/** About how many characters of an answer are said as it comes; the rest is read. */
const SAID = 400

/** Has an answer said when it comes, to those who do not see it: all of one that is short, and how a longer one begins. */
export function useAnswerSaid({ ask, attempts }: AskDetail, active: boolean): void {
  const { toasts } = useServices()
  const count = useRef<number | null>(null)
  useEffect(() => {
    // One that came while nobody looked is new too.
    const before = count.current ?? attempts.length - (ask.unread ? 1 : 0)
    count.current = active ? before : attempts.length
    const answer = active || attempts.length <= before ? undefined : attempts.at(-1)
    const text = answer && answerOf(answer)
    if (!text) return
    const end = text.indexOf(' ', SAID)
    toasts.getState().say(`The answer: ${end < 0 ? text : `${text.slice(0, end)}… It goes on.`}`)
  }, [toasts, ask.unread, attempts, active])
}

/** Tells the host that what was answered has been seen, once the window is looked at. */
export function useSeen({ ask: { id, unread } }: AskDetail): void {
  const { client } = useServices()
  useEffect(() => {
    if (!unread) return
    const see = () => {
      // It stays unread where the host cannot be reached.
      if (document.visibilityState === 'visible') client.asks.seen({ askId: id }).catch(() => undefined)
    }
    see()
    document.addEventListener('visibilitychange', see)
    return () => document.removeEventListener('visibilitychange', see)
  }, [client, id, unread])
}
