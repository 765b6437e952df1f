import { Box, FolderCog } from '../../components/icons'
import { useStore } from 'zustand'
import { cannotWrite, type ModelInfo } from '../../../shared/domain/model'
import { Button } from '../../components/button'
import { EmptyState } from '../../components/empty-state'
import { Summary } from '../../components/fold'
import { plural } from '../../components/format'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { GoButton } from '../../ground/go-to'
import { useServices } from '../../stores/use-services'
import { ModelCard } from './model-card'

/** Every model that was found, wherever it lies, and what was looked at and left out. */
export function FoundModels({ onAdd }: { onAdd(): void }) {
  const { models, settings } = useServices()
  const data = useStore(models, (state) => state.data)
  const folders = useStore(settings, (state) => state.settings?.modelFolders.length ?? 0)
  if (!data) return null
  if (data.length === 0)
    return (
      <EmptyState icon={Box} title="No models found" action={<Button onClick={onAdd}>Add a model</Button>}>
        Neither in Loam’s folders nor where Ollama, LM Studio, llama.cpp, Hugging Face, GPT4All and Jan keep
        theirs.
      </EmptyState>
    )
  return (
    <TitledSection
      title="Ready to use"
      action={
        <GoButton size="small" look="quiet" icon={FolderCog} to="speed">
          {folders === 0 ? 'Folders' : plural(folders, 'folder')}
        </GoButton>
      }
    >
      <ul className="flex flex-col gap-3" aria-label="Found models">
        {[...data].sort(byUse).map((model) => (
          <ModelCard key={model.path} model={model} />
        ))}
      </ul>
      <LeftOut version={data.length} />
    </TitledSection>
  )
}

/** What can be asked for words first, then what compares texts, then what cannot be used. */
const byUse = (a: ModelInfo, b: ModelInfo): number => rank(a) - rank(b)
const rank = (model: ModelInfo): number => (model.problem !== null ? 2 : cannotWrite(model) !== null ? 1 : 0)

/** Where was looked, and what was not taken and why. */
function LeftOut({ version }: { version: number }) {
  const { client } = useServices()
  const { data } = useQuery('places', () => client.models.places(), version)
  if (!data) return null
  const rest = data.flatMap((place) => place.left)
  const there = data.filter((place) => place.there)
  return (
    <details className="group">
      <Summary>
        Looked in {plural(there.length, 'place')}
        {rest.length > 0 ? <span className="font-normal text-notice">{rest.length} left out</span> : null}
      </Summary>
      <div className="flex flex-col gap-3 pt-3 text-sm">
        <ul className="rounded-md bg-sunken px-3 py-2" aria-label="Places">
          {there.map((place) => (
            <li key={`${place.title} ${place.path}`} className="flex flex-wrap gap-x-2">
              <span>
                {place.title}: {plural(place.models, 'model')}
              </span>
              <span className="font-mono text-xs leading-5 break-all text-muted">{place.path}</span>
            </li>
          ))}
        </ul>
        {rest.length > 0 ? (
          <ul className="max-h-64 overflow-y-auto rounded-md bg-sunken px-3 py-2" aria-label="Left out">
            {rest.map(({ path, why }) => (
              <li key={path} className="py-0.5">
                {why} <span className="font-mono text-xs break-all text-muted">{path}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </details>
  )
}
