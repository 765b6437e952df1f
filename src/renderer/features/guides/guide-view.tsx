import { Check, Pencil, X } from '../../components/icons'
import { useState } from 'react'
import { type GuideInfo, type GuideVersion, GUIDE_SECTIONS } from '../../../shared/domain/guide'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { formatWhen, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { ScoreBar } from '../../components/score-bar'
import { PageHead } from '../../components/screen'
import { Term } from '../../components/term'
import { PartTabs } from '../../ground/detail-pane'
import { FormDialog } from '../../ground/form-dialog'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { TextArea } from '../../ground/text-field'
import { useServices, useStored } from '../../stores/use-services'
import { GuideReader } from './guide-reader'
import { LossNotes } from './diff-view'
import { RubricsDialog } from './rubrics-dialog'
import { useDecide, useVersions } from './use-decide'
import { VersionsView } from './versions-view'
import { guideState, SECTION_TITLES } from './words'

/** One concept's document: what agents read, what it rests on, and how it came to be. */
export function GuideView({ conceptId }: { conceptId: string }) {
  const info = useStored('guides', ({ documents }) => documents.find((one) => one.conceptId === conceptId))
  const { data: versions, problem, unread } = useVersions(conceptId)
  const [editing, setEditing] = useState(false)
  const [rubrics, setRubrics] = useState(false)
  if (!info) return null
  /** What waits for a decision stands first; a rejected concept shows what was rejected last. */
  const view =
    info.proposed ?? info.current ?? versions?.find(({ state }) => state === 'rejected')?.version ?? null
  return (
    <article className="mx-auto flex max-w-3xl flex-col gap-5 p-6">
      <Heading
        info={info}
        version={view}
        onEdit={() => setEditing(true)}
        onRubrics={() => setRubrics(true)}
      />
      {problem ? unread('the versions') : null}
      <PartTabs
        label="Parts of the guide"
        parts={[
          {
            value: 'read',
            label: 'Guide',
            content: view ? (
              <>
                <LossNotes version={view} />
                <GuideReader key={view.id} version={view} />
              </>
            ) : (
              <Loading what="the guide" />
            ),
          },
          {
            value: 'versions',
            label: 'Versions',
            content: versions ? <VersionsView versions={versions} /> : unread('the versions'),
          },
        ]}
      />
      {view && editing ? <EditDialog version={view} onClose={() => setEditing(false)} /> : null}
      {rubrics ? <RubricsDialog environment={info.environment} onClose={() => setRubrics(false)} /> : null}
    </article>
  )
}

function Heading(props: {
  info: GuideInfo
  version: GuideVersion | null
  onEdit: () => void
  onRubrics: () => void
}) {
  const { info, version } = props
  const decide = useDecide()
  const { words, tone } = guideState(info)
  return (
    <div className="flex flex-col gap-3">
      <PageHead
        title={info.concept}
        marks={<Badge tone={tone}>{words}</Badge>}
        lead={
          <>
            <Term name="guide">Guide</Term> for <EnvironmentTitle id={info.environment} />
            {version
              ? `, ${plural(version.sentences.length, 'sentence')}, written ${formatWhen(version.createdAt)}`
              : ''}
          </>
        }
        actions={
          <>
            <Button onClick={props.onRubrics}>Rubrics</Button>
            <Button icon={Pencil} disabled={!version} onClick={props.onEdit}>
              Edit
            </Button>
            {version !== null && (info.proposed ?? info.current) ? (
              <Button look="danger" icon={X} onClick={() => void decide(version, false)}>
                Reject
              </Button>
            ) : null}
            {version !== null && (info.proposed || !info.current) ? (
              <Button icon={Check} onClick={() => void decide(version, true)}>
                Accept
              </Button>
            ) : null}
          </>
        }
      />
      <p className="text-sm text-muted">{standingWords(info)}</p>
      {info.reward ? (
        <div className="flex max-w-md flex-col gap-1.5">
          <ScoreBar label={<Term name="guide reward">Reward</Term>} value={info.reward.total} tone="sum" />
          <ScoreBar label={<Term name="solving">Solves</Term>} value={info.reward.correctness} />
          <ScoreBar label={<Term name="finding">Is found</Term>} value={info.reward.retrieval} />
        </div>
      ) : null}
    </div>
  )
}

function standingWords({ current, proposed, versions }: GuideInfo): string {
  if (proposed !== null)
    return current === null
      ? 'This version won its search. Agents read nothing about this concept until you accept it.'
      : 'This version won its search. Agents read the one before until you accept it; Versions compares the two.'
  if (current === null)
    return 'Every version was rejected, so agents read nothing about this concept. Accept one to bring it back.'
  if (current.buildId === null)
    return 'Agents read your version. It was not scored; the next build keeps your sentences and scores it.'
  return versions > 1
    ? 'This version won its search, and agents read it. Reject it to go back to the one before.'
    : 'This version won its search, and agents read it. Reject it, and they read nothing about this concept.'
}

const ROWS = { context: 3, howToUse: 7, whenToUse: 3, bestPractices: 5 } as const

/** Rewrites a document by hand. Saving makes a version that later builds hold to. */
function EditDialog({ version, onClose }: { version: GuideVersion; onClose(): void }) {
  const { client, guides, toasts } = useServices()
  const [draft, setDraft] = useState(version.text)
  const unchanged = GUIDE_SECTIONS.every((section) => draft[section] === version.text[section])
  const save = async () => {
    const refused = await guides
      .getState()
      .act((memoryId) => client.guides.edit({ memoryId, conceptId: version.conceptId, text: draft }))
    if (!refused) toasts.getState().tell('Saved as a new version', 'Agents read it now.')
    return refused
  }
  return (
    <FormDialog
      title={`Edit “${version.concept}”`}
      description="Agents read your version at once. Later builds keep the sentences you add and never bring back the ones you remove."
      className="w-[min(720px,calc(100vw-32px))]"
      submit={{ label: 'Save new version', busy: 'Saving…' }}
      ready={!unchanged && draft.howToUse.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      {GUIDE_SECTIONS.map((section) => (
        <TextArea
          key={section}
          label={SECTION_TITLES[section]}
          hint={
            section === 'howToUse' ? 'Markdown: lists, `code` and **bold** are shown as such.' : undefined
          }

          rows={ROWS[section]}
          value={draft[section]}
          onChange={(next) => setDraft({ ...draft, [section]: next })}
        />
      ))}
    </FormDialog>
  )
}
