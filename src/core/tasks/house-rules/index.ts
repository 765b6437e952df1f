import type { StreamGenerator } from '../../ground/environment-module'
import { bundledStreams } from './bundled'
import { lifelong } from './lifelong'
import { generateWorldStream } from './stream'

/** House rules: database tasks of made-up places whose hidden rules can only be learned by remembering. */
export const houseRules: StreamGenerator = {
  id: 'house-rules',
  words: {
    title: 'House rules',
    world: 'world',
    about:
      'Database tasks at a made-up place whose hidden house rules an agent can only learn by remembering.',
  },
  demo: 'house-rules-a',
  generate: generateWorldStream,
  bundled: bundledStreams,
  lifelong,
  drew: ({ payload }) =>
    typeof payload === 'object' &&
    payload !== null &&
    'world' in payload &&
    typeof payload.world === 'string',
}
