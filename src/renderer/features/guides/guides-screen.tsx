import { BookOpen, Plus } from '../../components/icons'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { Term } from '../../components/term'
import { MemoryGate } from '../../ground/memory-gate'
import { useServices, useStored } from '../../stores/use-services'
import { BuildForm } from './build-form'
import { BuildView } from './build-view'
import { GuideView } from './guide-view'
import { GuideList } from './guide-list'

/** Concept documents of the open memory: what agents read, where every sentence comes from, and the searches that wrote them. */
export function GuidesScreen() {
  const { guides } = useServices()
  return (
    <MemoryGate icon={BookOpen} about="Guides live in a memory." stores={[guides]}>
      {() => <Browser />}
    </MemoryGate>
  )
}

function Browser() {
  const { guides } = useServices()
  const { memoryId, documents, builds, status, problem, place } = useStored('guides')
  const { show, enter } = guides.getState()
  const isEmpty = documents.length === 0 && builds.length === 0
  return (
    <div className="flex h-full max-[700px]:flex-col max-[700px]:overflow-y-auto">
      <section
        aria-label="Guides and builds"
        className="flex w-84 shrink-0 flex-col border-r max-[1100px]:w-66 max-[700px]:max-h-48 max-[700px]:w-full max-[700px]:border-r-0 max-[700px]:border-b"
      >
        <header className="flex h-12 shrink-0 items-center justify-between gap-2 px-3">
          <h1 className="font-semibold">Guides</h1>
          {isEmpty && place === null ? null : (
            <Button icon={Plus} onClick={() => show({ kind: 'new' })}>
              New build
            </Button>
          )}
        </header>
        {problem ? (
          <ErrorNotice
            className="m-3"
            problem={problem}
            alwaysRetry
            onRetry={() => memoryId !== null && enter(memoryId)}
          />
        ) : null}
        {isEmpty ? (
          status === 'ready' ? (
            <p className="px-3 py-2 text-sm text-muted">Nothing here yet.</p>
          ) : status === 'failed' ? null : (
            <Loading what="the guides" />
          )
        ) : (
          <GuideList />
        )}
      </section>
      <section aria-label="The open guide or build" className="min-w-0 flex-1 overflow-y-auto bg-surface">
        {place?.kind === 'new' ? (
          <BuildForm />
        ) : place?.kind === 'document' ? (
          <GuideView key={place.conceptId} conceptId={place.conceptId} />
        ) : place?.kind === 'build' ? (
          <BuildView key={place.buildId} buildId={place.buildId} />
        ) : isEmpty && status === 'ready' ? (
          <Nothing onBuild={() => show({ kind: 'new' })} />
        ) : isEmpty ? null : (
          <p className="p-12 text-center text-muted">
            Choose a guide to read it, or a build to see how it was found.
          </p>
        )}
      </section>
    </div>
  )
}

function Nothing({ onBuild }: { onBuild: () => void }) {
  return (
    <EmptyState
      icon={BookOpen}
      title="No guides yet"
      action={
        <Button look="primary" icon={Plus} onClick={onBuild}>
          Build guides
        </Button>
      }
    >
      A build tries some tasks, writes down what it learned as one <Term name="guide" /> per concept, and
      improves them by search. Agents of this memory then read the three that fit a task best.
    </EmptyState>
  )
}
