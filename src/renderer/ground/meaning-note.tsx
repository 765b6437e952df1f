import { Lightbulb } from '../components/icons'
import type { Meaning, NextStep } from '../../shared/figures/meaning'
import { Button } from '../components/button'

/** What figures mean, in one sentence, and what would make them say more; steps that can be done at once have a button. */
export function MeaningNote(props: {
  meaning: Meaning
  /** What does a step, and the words on its button. Default: steps are only said. */
  actions?: Partial<Record<NextStep['kind'], { readonly label: string; run(): void }>>
}) {
  const { meaning, actions = {} } = props
  return (
    <section
      aria-label="What it means"
      className="flex shrink-0 flex-col gap-2 rounded-lg border bg-canvas p-3"
    >
      <p className="flex items-start gap-2">
        <Lightbulb size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
        <span>{meaning.sentence}</span>
      </p>
      {meaning.next.length > 0 ? (
        <ul className="flex flex-col gap-1.5 pl-6 text-sm text-muted">
          {meaning.next.map(({ kind, words }) => {
            const action = actions[kind]
            return (
              <li key={kind} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="min-w-40 flex-1">{words}</span>
                {action ? (
                  <Button size="small" onClick={() => action.run()}>
                    {action.label}
                  </Button>
                ) : null}
              </li>
            )
          })}
        </ul>
      ) : null}
    </section>
  )
}
