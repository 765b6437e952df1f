import { ExternalLink, Save, SendHorizontal, Square, X } from '../../components/icons'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { answerOf, keptAttempts, type AskAttempt, type AskDetail } from '../../../shared/domain/ask'
import { QUICK_SAID, type QuickMessage } from '../../../shared/port-handshake'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Keys } from '../../components/keys'
import { CopyButton } from '../../ground/copy-button'
import { useKeydown } from '../../ground/keys'
import { isServed } from '../../ground/model-choice'
import { useModelNames } from '../../ground/model-name'
import { RefusedNotice } from '../../ground/refused-notice'
import { EMPTY_DRAFT } from '../../stores/asks'
import { placeToHash } from '../../stores/location'
import { useServices, useStored } from '../../stores/use-services'
import { FINISH_WORDS } from './attempt-view'
import { useAnswerSaid, useSeen } from './ask-view'
import type { Chosen } from './choices'
import { LiveView } from './live-view'
import { Markdown } from './markdown'
import { costWords } from './pace'
import { BeforeAnswer } from './send-hint'
import { useFollow } from './use-follow'
import { useSending } from './use-sending'

const say = (message: QuickMessage): void =>
  window.postMessage({ kind: QUICK_SAID, message }, window.location.origin)

/** What leads out of the page: its small window hides and opens the main one, a browser goes to the ask. */
function useWays() {
  const isDesktop = useStored('info', (state) => state.data?.host === 'electron')
  const go = (item: string | null) => {
    window.location.hash = placeToHash({ screen: 'ask', item, memoryId: null })
  }
  return {
    leave: () => (isDesktop ? say({ kind: 'hide' }) : go(null)),
    open: (ask: string | null) => (isDesktop ? say({ kind: 'open', ask }) : go(ask)),
  }
}

/** Something asked in passing: one line, the answer below. It is a temporary ask, as any other is answered, and is kept only when a person says so. */
export function QuickAsk() {
  const { client, asks } = useServices()
  const [text, setText] = useState('')
  const [isStarting, setStarting] = useState(false)
  const isOpen = useStored('asks', (state) => state.openId !== null)
  const detail = useStored('asks', (state) => state.detail)
  const refused = useStored('asks', (state) => state.refused ?? state.detailProblem)
  const { leave, open } = useWays()
  const line = useLine()
  const isActive = detail?.ask.status === 'waiting' || detail?.ask.status === 'working'
  const draft = { ...EMPTY_DRAFT, text, world: null, temporary: true }
  const { choice, isListed, isReady, early, send } = useSending(draft, (input) => {
    if (isStarting || isActive || input.model === undefined) return
    setStarting(true)
    const { command, open: show } = asks.getState()
    void command(async () => show((await client.asks.start(input)).id)).then(() => setStarting(false))
  })
  const hasNone = isListed && choice.reference === null
  useKeydown((event) => {
    if (event.isComposing) return
    if (event.key === 'Escape') leave()
    else if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && detail) {
      event.preventDefault()
      open(detail.ask.id)
    }
  }, true)
  const size = isOpen || refused || hasNone ? 'answer' : 'line'
  useEffect(() => say({ kind: 'size', size }), [size])
  return (
    <main aria-label="Quick ask" className="flex h-full flex-col border bg-canvas">
      <h1 className="sr-only">Quick ask</h1>
      <Form
        className="flex h-14 shrink-0 items-center gap-2 border-b bg-surface px-3 [-webkit-app-region:drag] *:[-webkit-app-region:no-drag]"
        onSubmit={send}
      >
        <input
          ref={line}
          aria-label="Ask something"
          placeholder="Ask something"
          autoFocus
          autoComplete="off"
          value={text}
          maxLength={200_000}
          onChange={(event) => setText(event.target.value)}
          className="h-9 min-w-0 flex-1 rounded-md bg-transparent px-2 text-lg placeholder:text-faint"
        />
        {detail && isActive ? (
          <Button
            icon={Square}
            onClick={() => void asks.getState().command(() => client.asks.stop({ askId: detail.ask.id }))}
          >
            Stop
          </Button>
        ) : (
          <Button
            look="primary"
            type="submit"
            icon={SendHorizontal}
            disabled={!isReady || isStarting || hasNone}
          >
            {isStarting || early ? 'Asking…' : 'Ask'}
          </Button>
        )}
        <IconButton icon={X} label="Close" keys="Esc" onClick={leave} />
      </Form>
      {size === 'line' ? null : (
        <Below detail={detail} active={isActive}>
          <RefusedNotice problem={refused} onDismiss={() => asks.getState().clearRefused()} />
          {hasNone ? <NoModel choice={choice} onOpen={() => open(null)} /> : null}
        </Below>
      )}
      <Foot choice={choice} detail={detail} active={isActive} onOpen={open} />
    </main>
  )
}

/** The line, with the focus and its words selected whenever the window comes up; what was asked elsewhere meanwhile is read then. */
function useLine() {
  const { asks, models } = useServices()
  const line = useRef<HTMLInputElement>(null)
  const begin = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return
    line.current?.focus()
    line.current?.select()
    void asks.getState().load()
    void models.getState().reload()
  })
  useEffect(() => {
    const hear = () => begin()
    window.addEventListener('focus', hear)
    document.addEventListener('visibilitychange', hear)
    return () => {
      window.removeEventListener('focus', hear)
      document.removeEventListener('visibilitychange', hear)
    }
  }, [])
  return line
}

/** What stands below the line: what is wrong, and the answer while it is written and when it is there. */
function Below(props: { detail: AskDetail | null; active: boolean; children: React.ReactNode }) {
  const { detail, active, children } = props
  const { client, asks } = useServices()
  const { pane, content } = useFollow(active)
  const attempt = detail ? keptAttempts(detail).at(-1) : undefined
  return (
    <div ref={pane} className="min-h-0 flex-1 overflow-y-auto border-b bg-surface">
      <article ref={content} className="flex flex-col gap-3 p-4">
        {children}
        {detail && active ? <LiveView detail={detail} withRecalled={false} /> : null}
        {detail && attempt && !active ? <Answer detail={detail} attempt={attempt} /> : null}
        {detail?.ask.problem && !active ? (
          <ErrorNotice
            problem={detail.ask.problem}
            alwaysRetry
            onRetry={() => void asks.getState().command(() => client.asks.retry({ askId: detail.ask.id }))}
          />
        ) : null}
      </article>
    </div>
  )
}

/** The answer, and what it was made from. */
function Answer({ detail, attempt }: { detail: AskDetail; attempt: AskAttempt }) {
  useSeen(detail)
  useAnswerSaid(detail, false)
  const { trajectory, made } = attempt
  const { recalled, finish, reason } = trajectory
  const answer = answerOf(attempt)
  const problem = reason ?? FINISH_WORDS[finish]
  const tokens = recalled.reduce((sum, item) => sum + item.tokens, 0)
  return (
    <section data-answer aria-label="The answer" className="flex flex-col gap-3">
      {answer === null ? null : <Markdown text={answer} />}
      {problem === null ? null : <p className="text-sm text-notice">{problem}</p>}
      <p className="text-xs text-muted">
        {recalled.length === 0
          ? 'Nothing in memory fitted.'
          : `Recalled ${plural(recalled.length, 'item')}, ${plural(tokens, 'token')}.`}{' '}
        {made.length === 0 ? '' : `It made ${plural(made.length, 'file')}: open it in Loam. `}
        {costWords(attempt)}
      </p>
    </section>
  )
}

/** Nobody can answer: why, and where that is changed. */
function NoModel({ choice, onOpen }: { choice: Chosen; onOpen(): void }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-3">
      <p className="min-w-64 flex-1">
        {choice.model === null
          ? 'No model that answers everyday asks is here yet. Loam helps you to get one.'
          : `${choice.model.name} is a base model: it goes on with texts, and nobody trained it to answer. Choose it in Loam to ask it all the same.`}
      </p>
      <Button icon={ExternalLink} onClick={onOpen}>
        Open Loam
      </Button>
    </div>
  )
}

/** Who answers from what, whether it is kept, and what can be done with it. */
function Foot(props: {
  choice: Chosen
  detail: AskDetail | null
  active: boolean
  onOpen(ask: string): void
}) {
  const { choice, detail, active, onOpen } = props
  const { client, asks } = useServices()
  const nameOf = useModelNames()
  const homeId = useStored('memories', (state) => state.homeId)
  const memory = useStored('memories', ({ memories }) => memories.find(({ id }) => id === homeId))
  const attempt = detail ? keptAttempts(detail).at(-1) : undefined
  const answer = attempt && !active ? answerOf(attempt) : null
  const reference = detail?.ask.spec.model ?? choice.reference
  const { command } = asks.getState()
  return (
    <footer className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-xs text-muted">
      <p className="flex min-w-0 flex-1 flex-wrap gap-x-3">
        {reference === null || reference === undefined ? null : <span>{nameOf(reference)} answers</span>}
        <span>Recalls from {memory?.name ?? 'My memory'}</span>
        <span role="status">
          {detail?.ask.temporary === false ? 'Kept in Ask' : 'Not kept: gone when Loam closes'}
        </span>
        {detail || choice.model === null || isServed(choice.model.path) ? null : (
          <BeforeAnswer model={choice.model} />
        )}
      </p>
      {answer === null ? null : <CopyButton what="answer" text={() => answer} />}
      {detail && detail.ask.temporary && !active ? (
        <Button
          size="small"
          icon={Save}
          onClick={() => void command(() => client.asks.keep({ askId: detail.ask.id }))}
        >
          Keep
        </Button>
      ) : null}
      {detail ? (
        <Button size="small" icon={ExternalLink} onClick={() => onOpen(detail.ask.id)}>
          Open in Loam <Keys combo="Mod+Enter" />
        </Button>
      ) : null}
    </footer>
  )
}
