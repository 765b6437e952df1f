import { Check, Pin, VolumeX, X, type IconType } from './icons'
import { classNames } from './class-names'
import { Badge } from './badge'

/** How something stands, as the mark of a row: shape and colour, with its word for those who see neither unless that stands beside it. */
export function StateIcon(props: {
  icon: IconType
  /** Null where it stands beside it. */
  word: string | null
  /** Its colour, such as `text-solved`. */
  look: string
  /** In px. Default 14. */
  size?: number
}) {
  const { icon: Icon, word, look, size = 14 } = props
  return (
    <Icon
      size={size}
      strokeWidth={2.5}
      {...(word === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
      className={classNames('mt-0.75 shrink-0', look)}
    />
  )
}

/** Whether an attempt was solved, as the mark of a row. */
export function SolvedIcon({ reward, size = 14 }: { reward: number; size?: number }) {
  return reward === 1 ? (
    <StateIcon icon={Check} word="Solved" look="text-solved" size={size} />
  ) : (
    <StateIcon icon={X} word="Failed" look="text-failed" size={size} />
  )
}

/** How a person marked something that is recalled; nothing where they did not. */
export function MarkIcon({ mark }: { mark: 'pinned' | 'muted' | null | undefined }) {
  if (!mark) return null
  const [icon, word] = mark === 'pinned' ? ([Pin, 'Pinned'] as const) : ([VolumeX, 'Muted'] as const)
  return <StateIcon icon={icon} word={word} look="text-muted" size={13} />
}

/** Whether an attempt was solved: colour, shape and word together, never colour alone. */
export function Outcome({ reward }: { reward: 0 | 1 }) {
  return reward === 1 ? (
    <Badge tone="solved">
      <Check size={12} strokeWidth={2.5} aria-hidden /> Solved
    </Badge>
  ) : (
    <Badge tone="failed">
      <X size={12} strokeWidth={2.5} aria-hidden /> Failed
    </Badge>
  )
}
