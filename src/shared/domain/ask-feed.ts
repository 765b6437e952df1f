import type { AskDelta, AskDetail, AskLive } from './ask'
import { applyPlanEvent } from './plan'

/** An ask after one more delta of its feed. Pure; host and window both fold with it. */
export function applyAskDelta(detail: AskDetail, delta: AskDelta): AskDetail {
  if (delta.kind === 'changed')
    return { ...detail, ask: delta.ask, turns: delta.turns, attempts: delta.attempts }
  if (delta.kind === 'live') return { ...detail, live: delta.live }
  return detail.live ? { ...detail, live: applyToLive(detail.live, delta) } : detail
}

function applyToLive(live: AskLive, delta: Exclude<AskDelta, { kind: 'changed' | 'live' }>): AskLive {
  switch (delta.kind) {
    case 'token':
      return { ...live, streaming: live.streaming + delta.text }
    case 'round':
      return { ...live, rounds: [...live.rounds, delta.round], streaming: '', calling: null }
    case 'plan':
      return { ...live, cycles: applyPlanEvent(live.cycles ?? [], delta.event), streaming: '' }
    case 'words':
      return { ...live, words: delta.words }
    case 'fitted':
      return { ...live, fitted: delta.fitted }
    case 'calling':
      return { ...live, calling: delta.call, streaming: '' }
  }
}
