import { test, type TestAPI } from 'vitest'

/** Whether long tests are played in full (`npm run torture`); in every other run they have the bounded form that they say. */
export const TORTURE = process.env['LOAM_TORTURE'] === '1'

/** A test that only `npm run torture` plays, since it takes long and shorter ones meet the same code. */
export const longTest: ReturnType<TestAPI['runIf']> = test.runIf(TORTURE)
