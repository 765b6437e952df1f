import { test, type TestAPI } from 'vitest'

type LongTest = ReturnType<TestAPI['runIf']>

/** Whether long tests are played in full (`npm run torture`); in every other run they have the bounded form that they say. */
export const TORTURE = process.env['LOAM_TORTURE'] === '1'

/** A test that only `npm run torture` plays, since it takes long and shorter ones meet the same code; nowhere where `can` does not hold. */
export const longTestWhere = (can: boolean): LongTest => test.runIf(TORTURE && can)

/** As {@link longTestWhere}, wherever it is played. */
export const longTest: LongTest = longTestWhere(true)
