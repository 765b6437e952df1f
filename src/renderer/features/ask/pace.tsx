import type { AskAttempt } from '../../../shared/domain/ask'
import { isInYourWords } from '../../../shared/domain/ask-origin'
import type { Round } from '../../../shared/domain/trajectory'
import { formatCount, formatShort, plural } from '../../components/format'

/** Fewest tokens, and shortest time, that say how fast a model writes. */
const LEAST_TOKENS = 8
const LEAST_MS = 50

/** Tokens a second while replies were written, the wait for their first words left out; null where that was not measured. */
export function writingSpeed(rounds: readonly Pick<Round, 'usage' | 'firstMs' | 'thought'>[]): number | null {
  let tokens = 0
  let ms = 0
  for (const { usage, firstMs, thought } of rounds) {
    // Thoughts are written before the first word, so the time after it says nothing of them.
    if (firstMs === undefined || thought !== undefined || usage.ms <= firstMs) continue
    tokens += usage.completionTokens - 1
    ms += usage.ms - firstMs
  }
  return tokens < LEAST_TOKENS || ms < LEAST_MS ? null : (tokens / ms) * 1000
}

/** What a try took, in words: tokens, time, when it began to write and how fast it wrote. */
export function costWords(attempt: AskAttempt): string {
  if (isInYourWords(attempt)) return 'In your words.'
  const { finish, rounds, usage, startedAt, finishedAt } = attempt.trajectory
  const time = formatShort(Date.parse(finishedAt) - Date.parse(startedAt))
  const first = rounds.find(({ firstMs }) => firstMs !== undefined)?.firstMs
  const speed = writingSpeed(rounds)
  const parts = [
    finish === 'stopped'
      ? `Stopped after ${time}`
      : usage.promptTokens + usage.completionTokens === 0
        ? `Took ${time}`
        : `Read ${plural(usage.promptTokens, 'token')}, wrote ${formatCount(usage.completionTokens)}, in ${time}`,
    first === undefined ? null : `first word after ${formatShort(first)}`,
    speed === null ? null : `${formatCount(Math.round(speed))} tokens/s`,
  ]
  return `${parts.filter((part) => part !== null).join(' · ')}.`
}

/** Tokens that a try takes of what its model can read: its dialog, or the fullest step of a plan; null where that is not known. */
export function contextOf(
  attempt: Pick<AskAttempt, 'trajectory' | 'contextSize' | 'contextUsed'> | undefined,
): { readonly used: number; readonly size: number; readonly isPlanned: boolean } | null {
  if (!attempt) return null
  const { rounds, cycles } = attempt.trajectory
  const { contextSize: size, contextUsed } = attempt
  const isPlanned = cycles !== undefined
  const last = isPlanned ? undefined : rounds.findLast(({ usage }) => usage.promptTokens > 0)?.usage
  const tokens = contextUsed ?? (last ? last.promptTokens + last.completionTokens : 0)
  return tokens === 0 || size === null || size === 0
    ? null
    : { used: Math.min(size, tokens), size, isPlanned }
}

/** Part of the context from which it is said that little is left. */
const NEARLY_FULL = 0.8

/** How much of what the model can read is taken. */
export function ContextMeter({ attempt }: { attempt: AskAttempt | undefined }) {
  const context = contextOf(attempt)
  if (context === null) return null
  const { used, size, isPlanned } = context
  const part = used / size
  return (
    <span className="flex items-center gap-1.5">
      <span
        role="meter"
        aria-label="Context in use"
        aria-valuenow={used}
        aria-valuemin={0}
        aria-valuemax={size}
        className="h-1.5 w-16 overflow-hidden rounded-full bg-sunken"
      >
        <span
          className={`block h-full ${part >= NEARLY_FULL ? 'bg-notice' : 'bg-accent'}`}
          style={{ width: `${part * 100}%` }}
        />
      </span>
      Context: {formatCount(used)} of {formatCount(size)} tokens
      {isPlanned ? ' in its fullest step' : ''}
      {part >= NEARLY_FULL ? ', older messages are shortened soon' : ''}
    </span>
  )
}
