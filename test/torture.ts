/** Whether long tests are played in full (`npm run torture`); in every other run they have the bounded form that they say. */
export const TORTURE = process.env['LOAM_TORTURE'] === '1'
