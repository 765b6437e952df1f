import { Shapes, X } from 'lucide-react'
import { useStore } from 'zustand'
import type { ItemTopic } from '../../../shared/domain/item'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { DialogButton } from '../../components/dialog-button'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Lists what is remembered about one topic. */
export function TopicFilter() {
  const { items } = useServices()
  const topic = useStore(items, ({ filters }) => filters.topic)
  const some = useStore(items, ({ counts }) => counts.some(({ live }) => live > 1))
  const { filter } = items.getState()
  if (!some && topic === null) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <DialogButton
        size="small"
        look="quiet"
        icon={Shapes}
        dialog={(close) => <TopicsDialog onClose={close} />}
      >
        By topic…
      </DialogButton>
      {topic === null ? null : (
        <Button size="small" icon={X} onClick={() => filter({ topic: null, items: null })}>
          About {topic}
        </Button>
      )}
    </div>
  )
}

function TopicsDialog({ onClose }: { onClose(): void }) {
  const { items } = useServices()
  return (
    <Dialog
      onClose={onClose}
      title="What it is about"
      description="Items in use that are alike, with how often the attempts that were shown them were solved."
    >
      <Topics
        onChoose={(topic) => {
          items
            .getState()
            .filter({ topic: topic.title, items: topic.items.slice(0, 2000), text: '', kind: null })
          onClose()
        }}
      />
    </Dialog>
  )
}

function Topics({ onChoose }: { onChoose: (topic: ItemTopic) => void }) {
  const { client, items } = useServices()
  const memoryId = useStore(items, (state) => state.memoryId)
  const { data, problem, reload } = useQuery(
    memoryId ?? '',
    memoryId === null ? null : () => client.items.topics({ memoryId }),
  )
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!data) return <Loading what="the topics" />
  return (
    <ul aria-label="Topics" className="min-h-0 divide-y overflow-y-auto">
      {data.map((topic, i) => (
        <li key={i}>
          <button
            type="button"
            onClick={() => onChoose(topic)}
            className="flex w-full flex-col gap-0.5 px-4 py-2 text-left hover:bg-hover"
          >
            <span className="flex items-baseline gap-2">
              <span className="min-w-0 flex-1 truncate">{topic.title}</span>
              <span className="text-sm text-muted">{plural(topic.items.length, 'item')}</span>
            </span>
            <span className="text-xs text-muted">
              {topic.judged === 0
                ? 'not recalled yet, or not judged with it'
                : `helped ${topic.helped} of ${topic.judged} times`}
              {topic.contradictions.length === 0
                ? ''
                : ` · ${plural(topic.contradictions.length, 'contradiction')}: “${topic.contradictions[0]?.title ?? ''}” is there as solved and as failed`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
