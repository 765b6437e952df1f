import type { GuideVersion } from '../../../shared/domain/guide'
import { useServices } from '../../stores/use-services'

type Decided = Pick<GuideVersion, 'id' | 'conceptId' | 'concept'>

/** Makes a version what agents read, or takes it back; with a way back to what they read before. */
export function useDecide(): (version: Decided, accepted: boolean) => Promise<void> {
  const { guides, toasts } = useServices()
  return async (version, accepted) => {
    const { documents, decide } = guides.getState()
    const before = documents.find(({ conceptId }) => conceptId === version.conceptId)?.current ?? null
    const problem = await decide(version.conceptId, version.id, accepted)
    if (problem) {
      toasts.getState().report(problem)
      return
    }
    const undo = () => {
      const { decide: again } = guides.getState()
      void (before
        ? again(version.conceptId, before.id, true)
        : again(version.conceptId, version.id, !accepted))
    }
    toasts.getState().show({
      title: accepted ? `“${version.concept}”: this version is in use` : `“${version.concept}”: rejected`,
      detail: accepted
        ? 'Agents read it from the next task on.'
        : 'Agents read the version accepted before it, if there is one.',
      tone: 'plain',
      action: { label: 'Undo', run: undo },
    })
  }
}
