import { useStore } from 'zustand'
import { plural } from '../../components/format'
import { TextLink } from '../../components/text-link'
import { useOwnRuns } from '../../ground/own-runs'
import { TitledSection } from '../../ground/titled-section'
import { useServices } from '../../stores/use-services'

/** What goes on only once a person has said something; nothing while nothing waits. */
export function Waiting() {
  const { asks, experiments, openRecord } = useServices()
  const unjudged = useStore(asks, (state) => state.asks).filter(
    ({ status, verdict }) => status === 'done' && verdict === null,
  )
  const paused = useOwnRuns().filter(({ status }) => status === 'paused')
  const resting = useStore(experiments, (state) => state.heads).filter(({ status }) => status === 'paused')
  const things = [
    ...(unjudged.length > 0
      ? [
          {
            words: `${plural(unjudged.length, 'answer')} nobody has judged yet: the memory learns once you say whether it was right.`,
            link: 'Judge the newest',
            run: () => openRecord('ask', unjudged[0]?.id),
          },
        ]
      : []),
    ...paused.map(({ id, done, total }) => ({
      words: `A run rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('run', id),
    })),
    ...resting.map(({ id, name, done, total }) => ({
      words: `The experiment “${name}” rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('experiment', id),
    })),
  ]
  if (things.length === 0) return null
  return (
    <TitledSection title="Waits for you">
      <ul className="divide-y rounded-lg border bg-surface">
        {things.map(({ words, link, run }) => (
          <li key={words} className="px-4 py-3">
            {words} <TextLink onClick={run}>{link}</TextLink>
          </li>
        ))}
      </ul>
    </TitledSection>
  )
}
