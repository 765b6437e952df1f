import { Activity, FlaskConical, MessageCircle } from 'lucide-react'
import { useStore } from 'zustand'
import { formatCount, formatShare, formatWhen, plural } from '../../components/format'
import { statusWords } from '../../components/status-words'
import { useOwnRuns } from '../../ground/own-runs'
import { runTitle } from '../../ground/run-title'
import { TitledSection } from '../../ground/titled-section'
import { useServices } from '../../stores/use-services'

const MOST_SHOWN = 8

/** The newest asks, runs and experiments with how they went; nothing before the first. */
export function Lately() {
  const { asks, experiments, methods, streams, openRecord } = useServices()
  const askList = useStore(asks, (state) => state.asks)
  const runList = useOwnRuns()
  const heads = useStore(experiments, (state) => state.heads)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  const things = [
    ...askList.map((ask) => ({
      id: ask.id,
      icon: MessageCircle,
      title: ask.title,
      detail: ask.verdict === null ? 'Ask' : `Ask, judged ${ask.verdict}`,
      at: ask.createdAt,
      open: () => openRecord('ask', ask.id),
    })),
    ...runList.map((run) => ({
      id: run.id,
      icon: Activity,
      title: runTitle(run, methodList, streamList),
      detail: `Run, ${statusWords(run).toLowerCase()}${run.done > 0 ? `, ${formatShare(run.solved / run.done)} of ${plural(run.done, 'task')} solved` : ''}`,
      at: run.createdAt,
      open: () => openRecord('run', run.id),
    })),
    ...heads.map((head) => ({
      id: head.id,
      icon: FlaskConical,
      title: head.name,
      detail: `Experiment, ${statusWords(head).toLowerCase()}, ${
        head.done === head.total ? '' : `${formatCount(head.done)} of `
      }${plural(head.total, 'task')}`,
      at: head.createdAt,
      open: () => openRecord('experiment', head.id),
    })),
  ].sort((a, b) => b.at.localeCompare(a.at))
  if (things.length === 0) return null
  return (
    <TitledSection title="Lately">
      <ul className="divide-y rounded-lg border bg-surface">
        {things.slice(0, MOST_SHOWN).map(({ id, icon: Icon, title, detail, at, open }) => (
          <li key={id}>
            <button
              type="button"
              onClick={open}
              className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition-colors duration-100 -outline-offset-2 hover:bg-hover"
            >
              <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{title}</span>
                <span className="block truncate text-xs text-muted">{detail}</span>
              </span>
              <span className="shrink-0 text-xs text-muted">{formatWhen(at)}</span>
            </button>
          </li>
        ))}
      </ul>
    </TitledSection>
  )
}
