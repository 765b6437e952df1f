import type { Features } from './value-model'

/** First weights of the features (`features.ts`), in log-odds. */
export const PRIOR: Features = {
  item: -0.4,
  meaning: 1.2,
  words: 0.4,
  outcome: 0.35,
  says: 2.4,
  doubtful: -5,
  aside: -2,
  helped: 1,
  pair: 1,
  age: -0.1,
  trust: 0.5,
  elsewhere: -1,
  otherEnvironment: -1.5,
  contradicted: -0.5,
  byPerson: 0.9,
  redundancy: -0.3,
  redundancySquared: -1.5,
}
