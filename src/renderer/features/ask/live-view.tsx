import { Play, Wrench } from '../../components/icons'
import { memo, useDeferredValue, type ReactNode } from 'react'
import { askName, type AskDetail, type AskInfo, type ModelWait } from '../../../shared/domain/ask'
import type { RecalledItem } from '../../../shared/domain/trajectory'
import { Button } from '../../components/button'
import { formatDuration } from '../../components/format'
import { Verbatim } from '../../components/verbatim'
import { Written } from '../../ground/story/round-view'
import { useServices, useStored } from '../../stores/use-services'
import { Fitted, WithRecalled } from './recalled'
import { blocksOf, Markdown } from './markdown'
import { Plans, Steps } from './steps'

/** An ask while it is worked on: everything in the order in which it happens, and what it wants to know. */
export function LiveView(props: {
  detail: AskDetail
  /** Whether what was recalled stands beside. Default true. */
  withRecalled?: boolean
}) {
  const { detail, withRecalled = true } = props
  const { ask, live, wait, rests } = detail
  return (
    <section aria-label="What it is doing" className="flex flex-col gap-4">
      {live ? (
        <>
          {live.fitted ? <Fitted fitted={live.fitted} /> : null}
          {live.unread === '' ? null : <p className="text-sm text-notice">{live.unread}.</p>}
          <Beside items={withRecalled ? live.recalled : null} ask={ask}>
            {live.cycles ? <Plans cycles={live.cycles} /> : <Steps rounds={live.rounds} />}
            {live.calling ? (
              <p className="flex items-center gap-1.5 text-sm">
                <Wrench size={14} aria-hidden className="breathing text-accent" /> Calling {live.calling.tool}{' '}
                <span className="min-w-0 truncate text-muted">{JSON.stringify(live.calling.arguments)}</span>
              </p>
            ) : null}
            {live.words.map((words, i) => (
              <p key={i} className="text-sm text-muted">
                Waits for the next step: “{words}”
              </p>
            ))}
            <Permissions ask={ask} />
            {live.streaming === '' ? (
              live.calling || wait ? null : (
                <Waiting words="Reading" />
              )
            ) : (
              <>
                {/* Not each word as it comes: that would never end. */}
                <p role="status" className="sr-only">
                  It writes…
                </p>
                {live.cycles || ask.spec.world ? (
                  <Written text={live.streaming} />
                ) : (
                  <Writing text={live.streaming} />
                )}
              </>
            )}
          </Beside>
        </>
      ) : wait ? null : (
        <Waiting
          words={
            ask.status === 'waiting' ? 'Waiting for the model' : 'Loading the model and what is remembered'
          }
        />
      )}
      {wait ? <InLine ask={ask} wait={wait} begun={live !== null} /> : null}
      {rests === null ? null : (
        <p className="text-sm text-muted">
          <span className="inline-block first-letter:uppercase">{rests}</span> rests meanwhile.
        </p>
      )}
    </section>
  )
}

/** What is being done, with what was recalled beside it; null: with nothing beside it. */
function Beside(props: { items: readonly RecalledItem[] | null; ask: AskInfo; children: ReactNode }) {
  const { items, ask, children } = props
  if (items === null) return children
  return (
    <WithRecalled items={items} ask={ask} memoryId={ask.spec.memoryId}>
      {children}
    </WithRecalled>
  )
}

/** Its place in line, what goes before it, about how long that takes, and what starts it now. */
function InLine(props: { ask: AskInfo; wait: ModelWait; begun: boolean }) {
  const { ask, wait, begun } = props
  const { client, asks } = useServices()
  const place = wait.place === 1 ? 'Next in line' : `Number ${wait.place} in line`
  const time = wait.waitMs === null ? '' : `, about ${formatDuration(wait.waitMs)}`
  const words = `${begun ? 'It rests and goes on from here. ' : ''}${place}, after ${wait.behind}${time}`
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Waiting words={words} />
      {wait.canStart ? (
        <Button
          size="small"
          icon={Play}
          title="What has its place rests, and goes on after it."
          onClick={() => void asks.getState().command(() => client.asks.startNow({ askId: ask.id }))}
        >
          Start now
        </Button>
      ) : null}
    </div>
  )
}

const Settled = memo(Markdown)
/** Blocks that are there at once where someone comes back to a long answer; those before them follow. */
const AT_ONCE = 20

/**
 * Markdown while it is written: what stands before the last blank line outside of code is settled and drawn once, so that a long answer costs no
 * more per token than a short one.
 */
function Writing({ text }: { text: string }) {
  const blocks = blocksOf(text)
  const from = useDeferredValue(0, Math.max(0, blocks.length - AT_ONCE))
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, i) =>
        i < from ? null : <Settled key={i} text={block} writing={i === blocks.length - 1} />,
      )}
    </div>
  )
}

const Waiting = ({ words }: { words: string }) => (
  <p className="text-sm text-muted" role="status">
    {/* A mark moves and the words do not: fainter they could not be read. */}
    <span aria-hidden className="breathing mr-2 inline-block size-1.5 rounded-full bg-accent align-middle" />
    {words}…
  </p>
)

/** Tools that wait for the person's word, in line. */
function Permissions({ ask }: { ask: AskInfo }) {
  const { tools } = useServices()
  const requests = useStored('tools', (state) => state.requests).filter(({ from }) => from === askName(ask))
  const [request] = requests
  if (!request) return null
  const answer = (input: 'once' | 'run' | 'no') => void tools.getState().answer(request.id, input)
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-lg border border-notice/50 bg-notice-soft p-3">
      <p className="font-medium">May it use {request.tool}?</p>
      <p className="text-sm">
        {request.description}
        {request.needs === null ? null : ` It ${request.needs}.`}
        {request.read.length === 0
          ? null
          : ` It may change something, and text that nobody checked was read before: ${request.read.join(', ')}.`}
      </p>
      <Verbatim label="What the tool would be given" scroll ground="rounded-md bg-surface p-2">
        {request.args}
      </Verbatim>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" size="small" onClick={() => answer('once')}>
          Once
        </Button>
        <Button size="small" onClick={() => answer('run')}>
          Always in this ask
        </Button>
        <Button size="small" onClick={() => answer('no')}>
          No
        </Button>
      </div>
    </div>
  )
}
