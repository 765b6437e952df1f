import type { CaseWorth, WeighedCase } from '../../../../../shared/domain/case'
import { classNames } from '../../../../components/class-names'
import { useShowCase } from './learner-bar'

/** Of the drawing, in its own units, and the room around its field. */
const [WIDTH, HEIGHT] = [640, 260]
const [LEFT, BOTTOM, TOP, RIGHT] = [44, 36, 12, 12]

interface Span {
  readonly from: number
  readonly to: number
}

/** The range of some values with a little air, at least 0.1 wide. */
function spanOf(values: readonly number[]): Span {
  const low = Math.min(...values)
  const high = Math.max(...values)
  const air = Math.max(0.05, (high - low) * 0.08)
  return { from: low - air, to: high + air }
}

/** Similarity against Q. Recalled cases are filled; where one score decides, a line parts them from the others. */
export function WorthScatter({ worth: { cases, learner } }: { worth: CaseWorth }) {
  const show = useShowCase()
  const across = spanOf(cases.map(({ similarity }) => similarity))
  const up = spanOf(cases.map(({ value }) => value))
  const x = (similarity: number): number =>
    LEFT + ((similarity - across.from) / (across.to - across.from)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number =>
    HEIGHT - BOTTOM - ((value - up.from) / (up.to - up.from)) * (HEIGHT - BOTTOM - TOP)
  const border = learner.draws ? null : borderOf(cases)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label="Similarity against Q, one mark per case"
      className="w-full rounded-lg border bg-surface"
    >
      <clipPath id="worth-field">
        <rect x={LEFT} y={TOP} width={WIDTH - LEFT - RIGHT} height={HEIGHT - BOTTOM - TOP} />
      </clipPath>
      <g className="fill-muted text-2xs">
        {ticks(across).map((at) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1={TOP} y2={HEIGHT - BOTTOM} className="stroke-line" />
            <text x={x(at)} y={HEIGHT - BOTTOM + 14} textAnchor="middle">
              {at.toFixed(1)}
            </text>
          </g>
        ))}
        {ticks(up).map((at) => (
          <g key={at}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(at)} y2={y(at)} className="stroke-line" />
            <text x={LEFT - 6} y={y(at) + 4} textAnchor="end">
              {at.toFixed(1)}
            </text>
          </g>
        ))}
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 6} textAnchor="middle">
          Similarity
        </text>
        <text
          x={12}
          y={(TOP + HEIGHT - BOTTOM) / 2}
          textAnchor="middle"
          transform={`rotate(-90 12 ${(TOP + HEIGHT - BOTTOM) / 2})`}
        >
          Q
        </text>
      </g>
      {border ? (
        <line
          x1={x(across.from)}
          y1={y(border(across.from))}
          x2={x(across.to)}
          y2={y(border(across.to))}
          clipPath="url(#worth-field)"
          strokeDasharray="4 4"
          className="stroke-line-strong"
        />
      ) : null}
      {cases.map((each) => (
        <g
          key={each.case.id}
          role="button"
          tabIndex={0}
          aria-label={inWords(each)}
          transform={`translate(${x(each.similarity)} ${y(each.value)})`}
          onClick={() => show(each.case.id)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') show(each.case.id)
          }}
          className={classNames(
            'cursor-pointer',
            each.case.reward === 1 ? 'fill-solved stroke-solved' : 'fill-failed stroke-failed',
            each.case.mark === 'muted' && 'opacity-40',
          )}
        >
          <title>{inWords(each)}</title>
          {each.case.reward === 1 ? (
            <circle r={6} strokeWidth={1.5} fillOpacity={each.recalled ? 1 : 0.08} />
          ) : (
            <rect
              x={-5.5}
              y={-5.5}
              width={11}
              height={11}
              strokeWidth={1.5}
              fillOpacity={each.recalled ? 1 : 0.08}
              transform="rotate(45)"
            />
          )}
        </g>
      ))}
    </svg>
  )
}

/** Q at which a case of some similarity would just be recalled; null where there is no such line. */
function borderOf(cases: readonly WeighedCase[]): ((similarity: number) => number) | null {
  const weight = cases[0]?.weight ?? 0
  const recalls = cases.filter((each) => each.recalled && each.case.mark === undefined)
  if (weight < 0.05 || recalls.length === 0) return null
  if (cases.some((each) => Math.abs(each.weight - weight) > 1e-9)) return null
  const least = Math.min(...recalls.map(({ score }) => score))
  return (similarity) => (least - (1 - weight) * similarity) / weight
}

/** Round numbers within a span. */
function ticks({ from, to }: Span): number[] {
  const step = to - from > 1.2 ? 0.5 : to - from > 0.5 ? 0.2 : 0.1
  const first = Math.ceil(from / step - 1e-9)
  const count = Math.floor(to / step + 1e-9) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step)
}

const inWords = ({ case: { state, reward }, similarity, value, recalled }: WeighedCase): string =>
  `${state}\n${reward === 1 ? 'Solved' : 'Failed'}, similarity ${similarity.toFixed(2)}, Q ${value.toFixed(2)}${recalled ? ', recalled' : ''}`
