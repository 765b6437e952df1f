import { useStore } from 'zustand'
import { plural } from '../../components/format'
import { TextLink } from '../../components/text-link'
import { useOwnRuns } from '../../ground/own-runs'
import { TitledSection } from '../../ground/titled-section'
import { useServices } from '../../stores/use-services'

/** What goes on only once a person has said something; nothing while nothing waits. */
export function Waiting() {
  const { asks, experiments, runs, ui } = useServices()
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
            run: () => {
              asks.getState().open(unjudged[0]?.id ?? null)
              ui.getState().go('ask')
            },
          },
        ]
      : []),
    ...paused.map(({ id, done, total }) => ({
      words: `A run rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => {
        runs.getState().focus(id)
        ui.getState().go('run')
      },
    })),
    ...resting.map(({ id, name, done, total }) => ({
      words: `The experiment “${name}” rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => {
        experiments.getState().open(id)
        ui.getState().go('experiments')
      },
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
