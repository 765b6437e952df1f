import { ASK_TOKENS, type AskDetail } from '../../../shared/domain/ask'
import { IMPORTED_MODEL, isAsImported } from '../../../shared/domain/ask-origin'
import { Badge } from '../../components/badge'
import { useModelNames } from '../../ground/model-name'
import { useStored } from '../../stores/use-services'

/** Who was asked, and with what. */
export function Asked({ detail: { ask, attempts } }: { detail: AskDetail }) {
  const { spec } = ask
  const memory = useStored('memories', (state) => state.memories.find(({ id }) => id === spec.memoryId)?.name)
  const method = useStored('methods', ({ data }) => data?.find(({ id }) => id === spec.method)?.title)
  const world = useStored('streams', ({ data }) => data?.find(({ id }) => id === spec.world?.stream)?.title)
  const servers = useStored('tools', (state) => state.servers)
  const references = (spec.tools ?? []).map((id) => servers?.find((server) => server.id === id)?.title ?? id)
  const model = useModelNames()(spec.model)
  if (isAsImported(ask)) {
    const models = attempts.map(({ trajectory }) => trajectory.model).filter((name) => name !== '')
    return (
      <section aria-label="Asked with">
        <p className="flex flex-wrap items-center gap-1.5 text-xs">
          {[...new Set(models)].map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
          <Badge>{memory ?? 'a memory that is gone'}</Badge>
        </p>
      </section>
    )
  }
  // What was only kept was asked of no model.
  if (ask.isFact && ask.turns === 1)
    return (
      <section aria-label="Kept in">
        <p className="flex text-xs">
          <Badge>{memory ?? 'a memory that is gone'}</Badge>
        </p>
      </section>
    )
  return (
    <section aria-label="Asked with">
      <p className="flex flex-wrap items-center gap-1.5 text-xs">
        {spec.model === IMPORTED_MODEL ? null : <Badge>{model}</Badge>}
        <Badge>{memory ?? 'a memory that is gone'}</Badge>
        <Badge>
          {spec.automatic === true ? `Automatic: ${method ?? spec.method}` : (method ?? spec.method)}
        </Badge>
        {spec.world ? (
          <Badge>
            {world ?? spec.world.stream}, as of task {spec.world.index + 1}
          </Badge>
        ) : (
          <>
            <Badge>{spec.way === 'plan' ? 'Plan first' : 'Answer directly'}</Badge>
            <Badge>
              {spec.tools === null
                ? 'Tools as needed'
                : references.length === 0
                  ? 'No tools'
                  : references.length > 3
                    ? `${references.length} tool servers`
                    : references.join(', ')}
            </Badge>
          </>
        )}
        {spec.instructions === '' ? null : <Badge>With instructions</Badge>}
        {spec.temperature === null ? null : <Badge>Temperature {spec.temperature}</Badge>}
        {spec.topP === null ? null : <Badge>Top-p {spec.topP}</Badge>}
        {/* Asks from before null stood for the usual length say it, although nobody chose it. */}
        {spec.maxTokens === null || spec.maxTokens === ASK_TOKENS ? null : (
          <Badge>At most {spec.maxTokens} tokens</Badge>
        )}
        {spec.remember || ask.temporary ? null : <Badge tone="notice">Not remembered</Badge>}
        {spec.ownFiles ? null : <Badge tone="notice">Without my files</Badge>}
      </p>
    </section>
  )
}
