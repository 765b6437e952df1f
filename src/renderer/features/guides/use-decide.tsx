import { Check, X } from '../../components/icons'
import type { GuideVersion, VersionView } from '../../../shared/domain/guide'
import { Button } from '../../components/button'
import { useQuery, type Query } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { useServices, useStored } from '../../stores/use-services'

type Decided = Pick<GuideVersion, 'id' | 'conceptId' | 'concept'>

/** Makes a version what agents read, or takes it back; with a way back to what they read before. */
export function useDecide(): (version: Decided, accepted: boolean) => Promise<void> {
  const { guides } = useServices()
  const { change } = useUndo()
  return ({ conceptId, id, concept }, accepted) => {
    const { documents, decide } = guides.getState()
    const before = documents.find((one) => one.conceptId === conceptId)?.current ?? null
    return change(
      decide(conceptId, id, accepted),
      accepted
        ? { title: `“${concept}”: this version is in use`, detail: 'Agents read it from the next task on.' }
        : {
            title: `“${concept}”: rejected`,
            detail: 'Agents read the version accepted before it, if there is one.',
          },
      () => (before ? decide(conceptId, before.id, true) : decide(conceptId, id, !accepted)),
    )
  }
}

/** Versions of a concept, candidates included, newest first; read again when another one counts, or `newest` is another. */
export function useVersions(conceptId: string, newest = ''): Query<readonly VersionView[]> {
  const { client } = useServices()
  const memoryId = useStored('guides', (state) => state.memoryId)
  const info = useStored('guides', ({ documents }) => documents.find((one) => one.conceptId === conceptId))
  return useQuery(
    `${memoryId} ${conceptId}`,
    memoryId === null ? null : () => client.guides.versions({ memoryId, conceptId, candidates: true }),
    [info?.current?.id, info?.proposed?.id, info?.versions, newest].join(' '),
  )
}

/** Takes a version back that agents read, or makes it what they read, in the words `accept`. */
export function DecideButton({ view: { state, version }, accept }: { view: VersionView; accept: string }) {
  const decide = useDecide()
  return state === 'current' ? (
    <Button size="small" look="danger" icon={X} onClick={() => void decide(version, false)}>
      Reject
    </Button>
  ) : (
    <Button size="small" icon={Check} onClick={() => void decide(version, true)}>
      {accept}
    </Button>
  )
}
