import { Box, FolderCog, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { useServices } from '../../stores/use-services'
import { ConnectionsSection } from './connections-section'
import { ModelCard } from './model-card'
import { RegistryList } from './registry-list'

/** The GGUF files that were found, and the known ones that could be fetched. */
export function ModelsScreen() {
  const { models, settings, ui } = useServices()
  const { data, status, problem, reload } = useStore(models)
  const [looking, setLooking] = useState(false)
  const look = async () => {
    setLooking(true)
    await reload()
    setLooking(false)
  }
  const folders = useStore(settings, (state) => state.settings?.modelFolders.length ?? 0)
  return (
    <Screen
      title="Models"
      lead="Language models as GGUF files. Loam reads them where they are and never changes them."
      action={
        <Button icon={RotateCw} disabled={looking} onClick={() => void look()}>
          {looking ? 'Looking…' : 'Look again'}
        </Button>
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {data === null && status !== 'failed' ? <Loading what="the model folders" /> : null}
      {data?.length === 0 ? (
        <EmptyState
          icon={Box}
          title="No models found"
          action={<Button onClick={() => ui.getState().go('settings')}>Choose folders</Button>}
        >
          Tell Loam in which folders your GGUF files are.
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <section aria-label="Found models">
          <div className="mb-2 flex items-center gap-2">
            <h2 className="flex-1 font-medium">Ready to use</h2>
            <Button size="small" look="quiet" icon={FolderCog} onClick={() => ui.getState().go('settings')}>
              {folders === 0 ? 'Add folders' : plural(folders, 'folder')}
            </Button>
          </div>
          <ul className="flex flex-col gap-3">
            {data.map((model) => (
              <ModelCard key={model.path} model={model} />
            ))}
          </ul>
        </section>
      ) : null}
      <ConnectionsSection />
      <RegistryList />
    </Screen>
  )
}
