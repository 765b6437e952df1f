import { useEffect, useEffectEvent, useState } from 'react'
import type { StartAsk } from '../../../shared/domain/ask'
import type { AskDraft } from '../../stores/asks'
import { useStored } from '../../stores/use-services'
import { chosenOf, startInput, type Chosen } from './choices'

/** Who works on a draft, and how it is sent. */
export interface Sending {
  readonly choice: Chosen
  /** Whether it is known who can answer. */
  readonly isListed: boolean
  /** Whether it can be sent. */
  readonly isReady: boolean
  /** It was sent before it was known who can answer. */
  readonly early: boolean
  send(): void
}

/** What a draft comes to; sent before it is known who can answer, it goes to `start` as soon as that is. */
export function useSending(draft: AskDraft, start: (input: StartAsk) => void): Sending {
  const homeId = useStored('memories', (state) => state.homeId)
  const memoryId = draft.memoryId ?? homeId
  const models = useStored('models', ({ data }) => data)
  const methods = useStored('methods', ({ data }) => data)
  const streams = useStored('streams', ({ data }) => data)
  const choice = chosenOf(draft, {
    asks: useStored('asks', (state) => state.asks),
    memoryId,
    models: models ?? [],
    methods: methods ?? [],
    automatic: useStored('methodChoice', ({ data }) => data?.method ?? null),
    servers: useStored('tools', (state) => state.servers) ?? [],
    streams: streams ?? [],
  })
  const [early, setEarly] = useState(false)
  const isListed = models !== null && methods !== null && streams !== null
  const input = isListed ? startInput(draft, choice, memoryId) : null
  const isReady = isListed ? input !== null : draft.text.trim() !== ''
  const begin = useEffectEvent(() => {
    setEarly(false)
    if (input) start(input)
  })
  useEffect(() => {
    if (early && isListed) begin()
  }, [early, isListed])
  return {
    ...{ choice, isListed, isReady, early },
    send() {
      if (input) start(input)
      else if (!isListed && isReady) setEarly(true)
    },
  }
}
