import type { LossPoint } from '../../../shared/domain/soft-prompt'
import { Term } from '../../components/term'
import { LinePlot } from '../../ground/plot/plots'
import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names'

/** How the loss falls, on what is learned and on what is only looked at. */
export function LossView({ curve, steps }: { curve: readonly LossPoint[]; steps: number }) {
  const last = curve.at(-1)
  const holding = curve.findLast(({ heldOutLoss }) => heldOutLoss !== null)
  return (
    <figure aria-label="Loss" className="min-w-0">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <span className="font-medium">
          <Term name="loss">Loss per token</Term>
        </span>
        <Key colour="--series-2">learned{last ? <> {last.loss.toFixed(3)}</> : null}</Key>
        <Key colour="--series-3" dot>
          <Term name="held-out">held out</Term>
          {holding ? <> {holding.heldOutLoss?.toFixed(3)}</> : null}
        </Key>
      </figcaption>
      <div className="relative mt-1 h-44">
        <LinePlot
          x={curve.map(({ step }) => step)}
          end={steps}
          lines={[
            { label: 'learned', colour: '--series-2', values: curve.map(({ loss }) => loss) },
            {
              label: 'held out',
              colour: '--series-3',
              values: curve.map(({ heldOutLoss }) => heldOutLoss),
              dots: true,
            },
          ]}
        />
      </div>
    </figure>
  )
}

/** What a line or dot of a chart stands for. */
function Key(props: { colour: string; dot?: boolean; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5 text-muted tabular-nums">
      <span
        aria-hidden
        className={classNames('shrink-0 rounded-full', props.dot ? 'size-1.5' : 'h-0.5 w-3')}
        style={{ background: `var(${props.colour})` }}
      />
      <span>{props.children}</span>
    </span>
  )
}
