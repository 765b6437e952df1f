import { findGgml } from '../../src/main/adapters/ggml/library-files'
import { expect, needsDemoModel, test } from './fixtures'

/** A task takes a blink and a step of training seconds, but many times that on a busy machine. */
const PLAYED_WITHIN_MS = 6 * 60_000
const TRAINED_WITHIN_MS = 15 * 60_000

/** Why no soft prompt can be trained here; null when one can. */
function whyNoTraining(): string | null {
  try {
    findGgml('cpu')
    return null
  } catch (error) {
    return String(error)
  }
}

test.beforeEach(() => {
  needsDemoModel()
  const why = whyNoTraining()
  test.skip(why !== null, why ?? '')
})

test('dry run, training, before and after, accept, a run that is served it, undo', async ({
  app,
  run,
  consolidation,
}) => {
  test.setTimeout(TRAINED_WITHIN_MS + 2 * PLAYED_WITHIN_MS + 120_000)
  await app.goTo('Soft prompts')
  await expect(app.page.getByRole('heading', { name: 'Nothing to learn from yet' })).toBeVisible()
  await app.goTo('Runs')
  await run.tasks(10)
  await run.start.click()
  await expect(run.progress).toHaveText('10 of 10 tasks', { timeout: PLAYED_WITHIN_MS })
  await app.chooseMemory(/, seed \d+/)

  await app.goTo('Soft prompts')
  await expect(consolidation.inUse).toContainText('No soft prompt is in use')
  await consolidation.openSettings()
  await expect(app.page.getByRole('button', { name: 'Sizes: 20 to 4: as runs show them' })).toBeVisible()
  await expect(app.page.getByRole('button', { name: 'Train on: the processor' })).toBeVisible()
  await consolidation.set('Solved tasks the teacher reads', 4)
  await expect(app.page.getByRole('button', { name: 'Sizes: Own numbers' })).toBeVisible()
  await consolidation.set('Solved tasks the student reads', 0)
  await consolidation.set('Most steps', 2)
  await consolidation.set('Tasks to try it on', 3)
  await expect(consolidation.plan).toHaveText(
    /^\d solved tasks to learn from, \d held out, at most 2 steps, about .+, then 3 tasks to try it on$/,
  )

  await consolidation.train.click()
  await expect(consolidation.phase).toContainText('the teacher acts', { timeout: PLAYED_WITHIN_MS })
  await expect(consolidation.comparison).toBeVisible({ timeout: TRAINED_WITHIN_MS })
  await expect(consolidation.phase).toBeHidden()
  await expect(consolidation.comparison).toContainText(/3 tasks: \d solved without, \d with/)
  await consolidation.candidate.getByText('How it was trained').click()
  await expect(consolidation.loss).toContainText('learned')

  await consolidation.accept.click()
  await expect(consolidation.inUse).toContainText(/In use for Databases: \d+ tokens/)
  await app.goTo('Runs')
  await run.choose('Memory', /Case bank/)
  await expect(app.page.getByTestId('soft-prompt-choice')).toContainText(/\d+ tokens, from/)
  await run.tasks(1)
  await run.start.click()
  await expect(app.page.getByTestId('run-soft-prompt')).toContainText(/\d+ tokens, from/)
  await expect(run.progress).toHaveText('1 of 1 tasks', { timeout: PLAYED_WITHIN_MS })

  await app.goTo('Soft prompts')
  await consolidation.undo.click()
  await expect(consolidation.inUse).toContainText('No soft prompt is in use')
  await expect(consolidation.candidate).toHaveCount(1)
})
