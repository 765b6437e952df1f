import { Download, FolderInput, Pencil, Tag, Trash2, Undo2 } from '../../components/icons'
import { useState } from 'react'
import {
  isInQuarantine,
  type ItemDetails,
  type ItemMatch,
  type ItemRetirement,
} from '../../../shared/domain/item'
import { isForeign, originWords } from '../../../shared/domain/trust'
import { recallWords } from '../../../shared/figures/recall-words'
import { Badge, WordChips } from '../../components/badge'
import { Button } from '../../components/button'
import { formatWhen, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Outcome } from '../../components/row-icons'
import { ScoreBar } from '../../components/score-bar'
import { Term } from '../../components/term'
import { CitationLine, PASSAGE } from '../../ground/citation'
import { DetailPane, FactList, PartTabs } from '../../ground/detail-pane'
import { ItemDialog } from '../../ground/item-dialog'
import { MarkButtons } from '../../ground/mark-buttons'
import { Mono } from '../../ground/story/mono'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { useServices, useStored } from '../../stores/use-services'
import { AttemptDialog, RecallList, ItemHistory } from './attempt-dialog'
import { MoveDialog, TagDialog } from './tag-dialog'
import { panelOf } from './panels'
import { useItemChanges } from './use-item-changes'

/** One item in full: what an agent reads, how it did, where it came from. */
export function ItemDetail({ item }: { item: ItemDetails }) {
  const kind = useStored('memoryKinds', ({ data }) => data?.find(({ id }) => id === item.kind))
  const [editing, setEditing] = useState(false)
  const { edit } = useItemChanges()
  const match = useStored('items', (state) => state.openMatch)
  const alpha = useStored('items', ({ filters }) => filters.alpha)
  const panel = panelOf(item.kind)
  return (
    <DetailPane
      marks={
        <>
          <Badge tone="accent">{kind?.title ?? item.kind}</Badge>
          {/* The attempt behind a fact or a lesson may be one that nobody judged: it did not fail. */}
          {item.reward === 1 || (item.reward === 0 && item.labels?.['outcome']) ? (
            <Outcome reward={item.reward} />
          ) : null}
          {item.mark === 'pinned' ? <Badge>Pinned</Badge> : null}
          {item.mark === 'muted' ? <Badge tone="notice">Muted</Badge> : null}
          {item.gone ? <Badge tone="notice">{goneWords(item.gone)}</Badge> : null}
          {item.gone?.until === undefined ? null : (
            <Badge tone="notice">{plural(daysUntil(item.gone.until), 'day')} left</Badge>
          )}
          {item.editedAt === null ? null : <Badge>Edited</Badge>}
          {item.trust && isForeign(item.trust) ? (
            <Badge tone="notice">From {originWords(item.trust)}</Badge>
          ) : null}
          {item.tags.map((tag) => (
            <Badge key={tag}>#{tag}</Badge>
          ))}
          <span className="text-sm text-muted">{formatWhen(item.createdAt)}</span>
        </>
      }
      title={item.title}
      lead={
        <>
          <EnvironmentTitle id={item.environment} /> · {recallWords(item.recalls)}
        </>
      }
      actions={
        <Actions item={item} editable={(kind?.fields.length ?? 0) > 0} onEdit={() => setEditing(true)} />
      }
    >
      {match ? <WhyFound match={match} alpha={alpha} /> : null}
      {kind ? <p className="text-sm text-muted">{kind.help}</p> : null}
      <PartTabs
        label="Parts of the item"
        parts={[
          ...(panel?.parts?.(item) ?? [
            { value: 'text', label: 'What an agent reads', content: <Mono text={item.text} /> },
          ]),
          {
            value: 'recalls',
            label: `Recalled (${item.recalls.recalled})`,
            content: <RecallList item={item} />,
          },
          { value: 'origin', label: 'Where it came from', content: <Origin item={item} /> },
          { value: 'history', label: 'Versions', content: <ItemHistory item={item} /> },
        ]}
      />
      {editing && kind ? (
        <ItemDialog
          kind={kind}
          title={`Edit the ${kind.title.toLowerCase()}`}
          description="Runs read it as it stands from now on. What it read before is kept."
          values={item.values}
          onSave={(values) => edit(item, values)}
          onClose={() => setEditing(false)}
        />
      ) : null}
    </DetailPane>
  )
}

function Actions({ item, editable, onEdit }: { item: ItemDetails; editable: boolean; onEdit(): void }) {
  const { mark, remove, restore } = useItemChanges()
  const { items, ui } = useServices()
  const [tagging, setTagging] = useState(false)
  const [moving, setMoving] = useState(false)
  return (
    <>
      {item.gone ? (
        <Button icon={Undo2} onClick={() => void restore(item)}>
          {isInQuarantine(item.gone) ? 'Take out of quarantine' : 'Restore'}
        </Button>
      ) : (
        <>
          <MarkButtons mark={item.mark} onMark={(next) => void mark(item, next)} />
          <IconButton
            icon={Download}
            label="Export this item"
            onClick={() => {
              const { memoryId } = items.getState()
              const refs = [{ kind: item.kind, id: item.id }]
              if (memoryId !== null)
                ui.getState().setTransfer({ kind: 'export', memoryId, kinds: null, items: refs })
            }}
          />
          <IconButton icon={FolderInput} label="Move to another memory" onClick={() => setMoving(true)} />
          {moving ? <MoveDialog refs={[item]} onClose={() => setMoving(false)} /> : null}
          <IconButton icon={Tag} label="Tags" onClick={() => setTagging(true)} />
          {tagging ? <TagDialog rows={[item]} onClose={() => setTagging(false)} /> : null}
          {editable ? (
            <Button icon={Pencil} onClick={onEdit}>
              Edit
            </Button>
          ) : null}
          <Button look="danger" icon={Trash2} onClick={() => void remove(item)}>
            Delete
          </Button>
        </>
      )}
    </>
  )
}

/** Facts about an item, and the attempts or the file it was made from. */
function Origin({ item }: { item: ItemDetails }) {
  const memoryId = useStored('items', (state) => state.memoryId)
  const [attempt, setAttempt] = useState<string | null>(null)
  return (
    <>
      {panelOf(item.kind)?.origin?.(item)}
      {item.facts.length > 0 ? <FactList rows={item.facts} /> : null}
      {item.kind === PASSAGE ? (
        memoryId && <CitationLine memoryId={memoryId} passageId={item.id} />
      ) : item.trajectoryIds.length === 0 ? (
        <p className="text-sm text-muted">It was made from no attempt of this memory.</p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {item.trajectoryIds.map((id, index) => (
            <li key={id}>
              <Button size="small" onClick={() => setAttempt(id)}>
                {index === 0 ? 'Open the attempt behind it' : `Attempt ${index + 1}`}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {attempt === null ? null : <AttemptDialog trajectoryId={attempt} onClose={() => setAttempt(null)} />}
    </>
  )
}

/** Why a search found an experience: what its score is made of, and the words it shares with what was asked. */
function WhyFound({ match, alpha }: { match: ItemMatch; alpha: number }) {
  const { score, textScore, semanticScore, bm25, cosine, utilityPart, terms } = match
  const both = textScore !== null && semanticScore !== null
  return (
    <section aria-label="Why it was found" className="flex flex-col gap-2 rounded-lg border bg-canvas p-4">
      <h2 className="text-sm font-medium">Why it was found</h2>
      {textScore === null ? null : (
        <ScoreBar
          label={both ? `Words × ${alpha}` : 'Words'}
          value={textScore}
          detail={
            <>
              <Term name="bm25">BM25</Term> {bm25 === null ? 'found nothing' : bm25.toFixed(2)}
            </>
          }
        />
      )}
      {semanticScore === null ? null : (
        <ScoreBar
          label={both ? `Likeness × ${(1 - alpha).toFixed(2).replace(/0$/, '')}` : 'Likeness'}
          value={semanticScore}
          detail={
            <>
              <Term name="cosine" /> {cosine === null ? 'unknown' : cosine.toFixed(3)}
            </>
          }
        />
      )}
      <ScoreBar
        tone="sum"
        label="Score"
        value={score}
        detail={
          utilityPart === 0 ? null : (
            <>
              <Term name="utility" /> {utilityPart < 0 ? 'took' : 'added'} {Math.abs(utilityPart).toFixed(3)}
            </>
          )
        }
      />
      <p className="flex flex-wrap items-baseline gap-1.5 text-sm">
        <span className="text-muted">{terms.length > 0 ? 'Words in common:' : 'No words in common.'}</span>
        <WordChips words={terms} look="accent" />
      </p>
    </section>
  )
}

const GONE_WORDS: Readonly<Record<ItemRetirement['why'], string>> = {
  deleted: 'Deleted',
  dropped: 'Left a full queue',
  superseded: 'Replaced by another',
  evicted: 'Left for want of room',
  ended: 'Its last day is over',
  wrong: 'You say that it is wrong',
  failing: 'In quarantine: its use kept failing',
  contradicted: 'In quarantine: what was seen says otherwise',
  claimed: 'In quarantine: a program says that it succeeded, and nobody saw it',
  stranger: 'In quarantine: nobody you know signed it',
  chat: 'In quarantine: read from a chat, and you have not said yes',
}

/** Why an item is no longer recalled. */
export const goneWords = ({ why }: ItemRetirement): string => GONE_WORDS[why]

/** Days, rounded up, until a time; 0 where it is past. */
const daysUntil = (time: string): number =>
  Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 86_400_000))
