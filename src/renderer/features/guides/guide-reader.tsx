import { Fragment, useState } from 'react'
import {
  GUIDE_SECTIONS,
  type GuideSection,
  type GuideVersion,
  type Insight,
  type Sentence,
} from '../../../shared/domain/guide'
import type { BuildInfo } from '../../../shared/domain/guide-build'
import type { LoamClient } from '../../client-type'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { Outcome } from '../../components/row-icons'
import { Term } from '../../components/term'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { inlines, layoutSection, type Block, type BlockPart } from './guide-blocks'
import { SECTION_TITLES } from './words'
import { TrajectoryDialog, type TrajectoryRef } from './trajectory-dialog'

/** A document as it is read. A sentence that is chosen shows below it what it rests on. */
export function GuideReader({ version }: { version: GuideVersion }) {
  const [choice, setChosen] = useState<string | null>(null)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-xs text-muted">
        Choose a sentence to see where it comes from. Underlined sentences were written by a person.
      </p>
      {GUIDE_SECTIONS.filter((section) => version.text[section].trim() !== '').map((section) => (
        <section key={section} aria-label={SECTION_TITLES[section]}>
          <h2 className="mb-1.5 font-medium">{SECTION_TITLES[section]}</h2>
          <SectionBody version={version} section={section} chosen={choice} onChoose={setChosen} />
        </section>
      ))}
    </div>
  )
}

function SectionBody(props: {
  version: GuideVersion
  section: GuideSection
  chosen: string | null
  onChoose: (key: string | null) => void
}) {
  const { version, section, chosen, onChoose } = props
  const sentences = version.sentences.filter((one) => one.section === section)
  const keyOf = (index: number) => `${section}-${index}`
  const part = ({ text, sentence }: BlockPart, i: number) => {
    const message = sentence === null ? undefined : sentences[sentence]
    if (sentence === null || !message) return <Words key={i} text={text} />
    const key = keyOf(sentence)
    const toggle = () => onChoose(chosen === key ? null : key)
    return (
      <span
        key={i}
        role="button"
        tabIndex={0}
        aria-expanded={chosen === key}
        onClick={toggle}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          toggle()
        }}
        className={classNames(
          '-mx-0.5 cursor-pointer rounded-sm box-decoration-clone px-0.5',
          chosen === key ? 'bg-accent-soft' : 'hover:bg-hover',
          message.byHand && 'underline decoration-accent decoration-1 underline-offset-3',
        )}
      >
        <Words text={text} />
      </span>
    )
  }
  return (
    <div className="flex flex-col gap-1.5 leading-6">
      {layoutSection(version.text[section], sentences).map((block, i) => {
        const own = block.parts.find(({ sentence }) => sentence !== null && keyOf(sentence) === chosen)
        const message = own && own.sentence !== null ? sentences[own.sentence] : undefined
        return (
          <Fragment key={i}>
            <BlockView block={block}>{block.parts.map(part)}</BlockView>
            {message ? <SentenceSource sentence={message} /> : null}
          </Fragment>
        )
      })}
    </div>
  )
}

function BlockView({ block, children }: { block: Block; children: React.ReactNode }) {
  switch (block.kind) {
    case 'heading':
      return <h3 className="text-sm font-medium text-muted">{children}</h3>
    case 'item':
      return (
        <div className="flex gap-2">
          <span className="min-w-4 shrink-0 text-right text-muted">{block.mark}</span>
          <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
        </div>
      )
    case 'code':
      return (
        <pre className="overflow-x-auto rounded-md bg-sunken px-2.5 py-2 text-xs leading-[1.125rem]">
          {children}
        </pre>
      )
    case 'paragraph':
      return <p className="[overflow-wrap:anywhere]">{children}</p>
  }
}

const INLINE_LOOKS = {
  code: 'rounded bg-sunken px-1 text-xs font-mono',
  strong: 'font-semibold',
  emphasis: 'italic',
} as const

/** A run of text with its inline marks, always as text. */
function Words({ text }: { text: string }) {
  return inlines(text).map((run, i) =>
    run.kind === 'plain' ? (
      <Fragment key={i}>{run.text}</Fragment>
    ) : (
      <span key={i} className={INLINE_LOOKS[run.kind]}>
        {run.text}
      </span>
    ),
  )
}

/** What a sentence rests on: the insights it was written from, and the attempts they were drawn from. */
function SentenceSource({ sentence }: { sentence: Sentence }) {
  const { client } = useServices()
  const { memoryId, builds } = useStored('guides')
  const [reading, setReading] = useState<TrajectoryRef | null>(null)
  const { data: insights, problem } = useQuery(
    memoryId ?? '',
    memoryId === null ? null : () => insightsOf(client, memoryId, builds),
    builds.map(({ build, status }) => `${build.id} ${status}`).join(),
  )
  const foundInsights = sentence.insights.flatMap((id) => insights?.get(id) ?? [])
  return (
    <aside
      aria-label="Where the sentence comes from"
      className="mb-1 rounded-lg border bg-sunken p-3 text-sm leading-5"
    >
      {sentence.byHand ? (
        <p>Written by a person. Every later build keeps it word for word.</p>
      ) : sentence.insights.length === 0 ? (
        <p>No insight has most of its words in this sentence, so where it comes from is not known.</p>
      ) : null}
      {problem ? <ErrorNotice problem={problem} /> : null}
      {foundInsights.length > 0 ? (
        <>
          <p className="text-muted">
            Rests on {plural(foundInsights.length, 'insight')} (<Term name="insight">what is that?</Term>)
          </p>
          <ul className="mt-2 flex flex-col gap-2">
            {foundInsights.map((insight) => (
              <InsightRow key={insight.id} insight={insight} onRead={setReading} />
            ))}
          </ul>
        </>
      ) : null}
      {reading ? <TrajectoryDialog rollout={reading} onClose={() => setReading(null)} /> : null}
    </aside>
  )
}

/** An insight and the build whose log holds its rollout. */
type KnownInsight = Insight & { readonly buildId: string }

/** Every insight of some builds, by id. */
async function insightsOf(client: LoamClient, memoryId: string, builds: readonly BuildInfo[]) {
  const groups = await Promise.all(
    builds.map(async ({ build: { id: buildId } }) =>
      (await client.guides.insights({ memoryId, buildId })).map((one) => ({ ...one, buildId })),
    ),
  )
  return new Map(groups.flat().map((one) => [one.id, one]))
}

function InsightRow(props: { insight: KnownInsight; onRead: (rollout: TrajectoryRef) => void }) {
  const { insight, onRead } = props
  const { buildId, trajectoryId, taskId, text, reward } = insight
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-surface px-2.5 py-2">
      <p className="min-w-56 flex-1 [overflow-wrap:anywhere]">{text}</p>
      <div className="flex items-center gap-2">
        <Outcome reward={reward} />
        <span className="text-xs text-muted">{taskId}</span>
        <Button size="small" onClick={() => onRead({ buildId, trajectoryId })}>
          Read the attempt
        </Button>
      </div>
    </li>
  )
}
