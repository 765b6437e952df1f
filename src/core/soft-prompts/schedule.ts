/** When the learning rate is how high. */
export interface LearningRateSchedule {
  /** Highest rate, reached after warming up. */
  readonly peak: number
  /** Steps from 0 to the peak. */
  readonly warmUpSteps: number
  /** All steps; from the peak the rate falls along a half cosine to `floor * peak`. */
  readonly totalSteps: number
  /** Share of the peak that is left at the end, in [0, 1]. */
  readonly floor: number
}

/** The rate of step `step` (from 0). Past the end it stays at the floor. */
export function learningRate(step: number, schedule: LearningRateSchedule): number {
  const { peak, warmUpSteps, totalSteps, floor } = schedule
  if (step < warmUpSteps) return (peak * (step + 1)) / warmUpSteps
  const span = Math.max(1, totalSteps - 1 - warmUpSteps)
  const doneCount = Math.min(1, (step - warmUpSteps) / span)
  return peak * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * doneCount)))
}
