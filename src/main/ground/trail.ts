import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

const trails = new AsyncLocalStorage<string>()

/**
 * Does work of which every line of the log says the same id, in whatever process it is done: a run's, an ask's or a job's own, or one made for a
 * call. Work within work has its own.
 */
export const onTrail = <T>(id: string, work: () => T): T => trails.run(id, work)

/** The id of the work that is under way here; none outside of all. */
export const currentTrail = (): string | undefined => trails.getStore()

/** An id for a call of a procedure. */
export const newTrail = (): string => `call-${randomUUID().slice(0, 8)}`
