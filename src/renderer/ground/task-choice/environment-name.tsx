import type { EnvironmentInfo } from '../../../shared/domain/environment'
import { useStored } from '../../stores/use-services'

/** Where passages of own files are from, which no task is. */
const DOCUMENTS = 'documents'

/** What an environment is called; its id while the list is not here, or when this Loam does not have it. */
export const titleOfEnvironment = (
  id: string,
  records: readonly Pick<EnvironmentInfo, 'id' | 'title'>[] | null,
): string => records?.find((one) => one.id === id)?.title ?? (id === DOCUMENTS ? 'My files' : id)

/** What an environment is called; its id while the list is not here, or when this Loam does not have it. */
export function useEnvironmentTitle(id: string): string {
  return useStored('environments', ({ data }) => titleOfEnvironment(id, data))
}

/** An environment by its title, within a sentence. */
export const EnvironmentTitle = ({ id }: { id: string }): string => useEnvironmentTitle(id)

/** An environment by its title, with a dot of its colour. */
export function EnvironmentName({ id }: { id: string }) {
  const colour = useStored('environments', ({ data }) => data?.find((one) => one.id === id)?.colour)
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {colour === undefined ? null : (
        <span
          aria-hidden
          className="inline-block size-2 rounded-full"
          style={{ background: `var(--series-${colour + 1})` }}
        />
      )}
      {useEnvironmentTitle(id)}
    </span>
  )
}
