import { Check, X } from 'lucide-react'
import { Badge } from './badge'

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
