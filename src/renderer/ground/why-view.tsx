import { diffWordsWithSpace } from 'diff'
import { CircleHelp, GitCompare, RotateCw } from '../components/icons'
import { useMemo, useState, type ReactNode } from 'react'
import type { AttemptPlace, ReplayWithout, Why } from '../../shared/domain/why'
import { Badge } from '../components/badge'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'
import { SmallFold } from '../components/fold'
import { capital, plural } from '../components/format'
import { Outcome } from '../components/row-icons'
import { Verbatim } from '../components/verbatim'
import { useServices, useStored } from '../stores/use-services'
import { useAttempt } from './use-attempt'
import { useQuery } from './use-query'

const CLASSES: Record<NonNullable<Why['error']>['class'], string> = {
  retrieval: 'What was recalled',
  planning: 'The plan',
  reasoning: 'The reasoning',
  format: 'The form of a reply',
  perception: 'What it took to be there',
  execution: 'The doing',
}

/** Asks why an attempt failed, when a person wants to know. */
export function WhyButton(props: { place: AttemptPlace; version?: string; onAgain: () => void }) {
  const [open, setOpen] = useState(false)
  if (open) return <WhyView {...props} />
  return (
    <div>
      <Button icon={CircleHelp} size="small" onClick={() => setOpen(true)}>
        Why did this fail?
      </Button>
    </div>
  )
}

/** Takes the focus from the button that it stands in for. */
const takeFocus = (view: HTMLElement | null): void => view?.focus({ preventScroll: true })

function WhyView(props: { place: AttemptPlace; version?: string; onAgain: () => void }) {
  const { place, version = '', onAgain } = props
  const { client } = useServices()
  const subject = JSON.stringify(place)
  const query = useQuery(subject, () => client.why.explain({ place }), version)
  const [after, setAfter] = useState<Why | null>(null)
  const [playing, setPlaying] = useState<string | null>(null)
  const { busy, problem: refused, attempt } = useAttempt()
  const why = after ?? query.data
  if (query.problem || !why) return query.unread('what is known of it')
  const replay = (without: ReplayWithout) => {
    setPlaying(JSON.stringify(without))
    return attempt(async () => setAfter(await client.why.replay({ place, without })))
  }
  const button = (without: ReplayWithout, words: string) => (
    <Button
      size="small"
      icon={RotateCw}
      disabled={busy || why.cannotReplay !== null}
      onClick={() => void replay(without)}
    >
      {busy && playing === JSON.stringify(without) ? 'Playing…' : words}
    </Button>
  )
  return (
    <section
      ref={takeFocus}
      tabIndex={-1}
      aria-label="Why it failed"
      className="flex flex-col gap-4 rounded-lg border p-3 text-sm outline-none"
    >
      <h3 className="flex items-center gap-1.5 text-base font-medium">
        <CircleHelp size={15} aria-hidden className="text-accent" /> Why it failed
      </h3>
      <Part title="Expected against given">
        <Compared expected={why.expected} given={why.given} />
      </Part>
      <Part title="The first bad step">
        <p>
          {why.badStep === null
            ? 'No step stands out by rule. Play it again below to compare.'
            : `${capital(why.badStep.name)}: ${why.badStep.reason}`}
        </p>
        {why.error ? (
          <p className="text-muted">
            {CLASSES[why.error.class]}: {why.error.reason}
          </p>
        ) : null}
      </Part>
      <Part title="What it recalled">
        {why.suspects.length === 0 ? (
          <p className="text-muted">
            {why.recalled === 0
              ? 'Nothing, so memory did not mislead it.'
              : `Of ${plural(why.recalled, 'item')}, none looks as if it had misled it.`}
          </p>
        ) : (
          <ul className="divide-y rounded-md border">
            {why.suspects.map(({ kind, id, title, reason }) => (
              <li key={`${kind} ${id}`} className="flex flex-wrap items-center gap-2 px-2.5 py-1.5">
                <div className="min-w-40 flex-1">
                  <p className="truncate">{title}</p>
                  <p className="text-xs text-muted first-letter:uppercase">{reason}</p>
                </div>
                {button({ kind: 'item', item: { kind, id } }, 'Replay without it')}
              </li>
            ))}
          </ul>
        )}
        {why.others.length > 0 ? (
          <SmallFold title={`What else it recalled (${why.others.length})`}>
            <ul className="mt-1 divide-y rounded-md border">
              {why.others.map(({ kind, id, title }) => (
                <li key={`${kind} ${id}`} className="flex flex-wrap items-center gap-2 px-2.5 py-1.5">
                  <p className="min-w-40 flex-1 truncate">{title}</p>
                  {button({ kind: 'item', item: { kind, id } }, 'Replay without it')}
                </li>
              ))}
            </ul>
          </SmallFold>
        ) : null}
        <div className="flex flex-wrap gap-2">
          {why.recalled > 0 ? button({ kind: 'memory' }, 'Replay without memory') : null}
          {button({ kind: 'nothing' }, 'Replay as it was')}
          <Button size="small" icon={GitCompare} onClick={onAgain}>
            Try again with…
          </Button>
        </div>
        {why.cannotReplay === null ? null : <p className="text-muted">{why.cannotReplay}</p>}
        {refused ? <ErrorNotice problem={refused} /> : null}
      </Part>
      <Replays why={why} />
      <Similar why={why} />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <h4 className="font-medium">{title}</h4>
      {children}
    </div>
  )
}

const LONGEST = 4000
/** Part of the longer text that both must share for their differences to be marked word by word. */
const LEAST_ALIKE = 0.25

/** What only the expected text has is struck out of the given one's place, what only the given has stands beside it. */
function Compared({ expected, given }: { expected: string | null; given: string }) {
  const parts = useMemo(
    () => (expected === null ? [] : diffWordsWithSpace(expected.slice(0, LONGEST), given.slice(0, LONGEST))),
    [expected, given],
  )
  if (expected === null)
    return (
      <>
        <p className="text-muted">Nobody has said what would have been right. It gave:</p>
        <Verbatim>{given.slice(0, LONGEST)}</Verbatim>
      </>
    )
  const uniformFields = parts.reduce(
    (sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length),
    0,
  )
  // A diff of texts that have next to nothing in common reads like neither.
  if (uniformFields < LEAST_ALIKE * Math.max(expected.length, given.length))
    return (
      <div aria-label="Expected against given" role="group" className="flex flex-col gap-1.5">
        <Whole title="Expected" text={expected} look="border-solved/50" />
        <Whole title="Given" text={given} look="border-failed/50" />
      </div>
    )
  return (
    <>
      <Verbatim label="Expected against given">
        {parts.map(({ added, removed, value }, i) =>
          removed ? (
            <ins key={i} className="rounded-sm bg-solved-soft text-solved no-underline">
              {value}
            </ins>
          ) : added ? (
            <del key={i} className="rounded-sm bg-failed-soft text-failed">
              {value}
            </del>
          ) : (
            <span key={i}>{value}</span>
          ),
        )}
      </Verbatim>
      {parts.some(({ added, removed }) => added || removed) ? null : (
        <p>Both are the same: the right thing was done, and it did not become the answer.</p>
      )}
      <p className="text-xs text-muted">
        <ins className="rounded-sm bg-solved-soft text-solved no-underline">Missing</ins> was expected,{' '}
        <del className="rounded-sm bg-failed-soft text-failed">struck out</del> was given instead.
      </p>
    </>
  )
}

function Whole({ title, text, look }: { title: string; text: string; look: string }) {
  return (
    <div>
      <p className="text-xs text-muted">{title}</p>
      <Verbatim ground={`rounded-md border-l-2 bg-sunken px-2.5 py-2 ${look}`}>
        {text.slice(0, LONGEST)}
      </Verbatim>
    </div>
  )
}

/** Attempts that were played again, newest last. */
function Replays({ why }: { why: Why }) {
  const kinds = useStored('memoryKinds', ({ data }) => data)
  if (why.replays.length === 0) return null
  const words = (without: ReplayWithout): string =>
    without.kind === 'memory'
      ? 'Without memory'
      : without.kind === 'nothing'
        ? 'As it was'
        : `Without “${[...why.suspects, ...why.others].find(({ id }) => id === without.item.id)?.title ?? kinds?.find(({ id }) => id === without.item.kind)?.title ?? without.item.kind}”`
  return (
    <Part title="Played again">
      <ul aria-label="Played again" className="divide-y rounded-md border">
        {why.replays.map(({ id, without, reward, ungraded, given, recalled }) => (
          <li key={id} className="flex flex-col gap-1 px-2.5 py-1.5">
            <p className="flex flex-wrap items-center gap-x-2">
              {ungraded === null ? <Outcome reward={reward === 1 ? 1 : 0} /> : <Badge>Not graded</Badge>}
              <span className="min-w-0 flex-1 truncate">{words(without)}</span>
              <span className="text-xs text-muted">{plural(recalled, 'item')} recalled</span>
            </p>
            <SmallFold title="What it gave">
              <Verbatim ground="mt-1">{given}</Verbatim>
            </SmallFold>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function Similar({ why }: { why: Why }) {
  if (why.similar.length === 0)
    return (
      <Part title="What similar tasks did">
        <p className="text-muted">This memory has seen no other task that was judged by then.</p>
      </Part>
    )
  const solved = why.similar.filter((one) => one.solved).length
  return (
    <Part title={`What similar tasks did: ${solved} of ${why.similar.length} solved`}>
      <ul className="divide-y rounded-md border">
        {why.similar.map(({ trajectoryId, instruction, solved: isDone, score }) => (
          <li key={trajectoryId} className="flex items-center gap-2 px-2.5 py-1.5">
            <Outcome reward={isDone ? 1 : 0} />
            <span className="min-w-0 flex-1 truncate">{instruction}</span>
            <span className="text-xs text-muted tabular-nums">{score.toFixed(2)}</span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
