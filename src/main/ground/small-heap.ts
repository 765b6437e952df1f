import { setFlagsFromString } from 'node:v8'

/** Percent by which the heap may grow beyond what a collection left; 0: as much as the engine likes, several times what is held. */
const GROWTH = { small: 20, usual: 0 }
/** Electron may freeze the engine's flags; a frozen one must not be set. */
const CAN_SET = process.versions['electron'] === undefined

let works = 0

const setGrowth = (percent: number): void => {
  if (CAN_SET) setFlagsFromString(`--heap-growing-percent=${percent}`)
}

/** Does work that goes through much and keeps little: until it ends the heap is collected more often, so that its size follows what is held. */
export async function withSmallHeap<T>(work: () => Promise<T>): Promise<T> {
  if (works++ === 0) setGrowth(GROWTH.small)
  try {
    return await work()
  } finally {
    if (--works === 0) setGrowth(GROWTH.usual)
  }
}
