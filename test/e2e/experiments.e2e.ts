import { expect, test } from './fixtures'

test.use({ model: 'scripted' })
// Many small files are written and synced, which takes its time on a busy machine.
test.setTimeout(480_000)

test('an experiment is composed, fills in live, and every cell can be opened', async ({
  app,
  run,
  experiments,
}) => {
  await app.goTo('Experiments')
  await expect(experiments.plan).toHaveText('9 cells of 120 tasks')

  // What is missing is said in words, and nothing can be started meanwhile.
  await experiments.seeds('1, 2, x')
  await expect(experiments.work).toContainText('“x” is not a seed.')
  await expect(experiments.start).toBeDisabled()
  await experiments.seeds('1-2')
  await experiments.exp(16)
  await experiments.tasks(15)
  await expect(experiments.plan).toHaveText('10 cells of 15 tasks')

  // The form is as it was left when coming back.
  await app.goTo('Task streams')
  await app.goTo('Experiments')
  await expect(experiments.plan).toHaveText('10 cells of 15 tasks')

  await experiments.start.click()
  await expect(experiments.cells).toHaveCount(10)
  const last = experiments.cell(/^Case bank, K 16, seed 2: /)
  await expect(last).toHaveText(/2waiting$/)
  await expect(experiments.cell(/^No memory, seed 1: /)).toHaveText(/1\d+ %$/)
  await expect(experiments.progress).toHaveText('10 of 10 cells', { timeout: 120_000 })

  await expect(experiments.figures.getByRole('row')).toHaveCount(6)
  const memory = experiments.figures.getByRole('row', { name: /^Case bank 16 2 / })
  await expect(memory).toBeVisible()
  await experiments.baseline('Replay')
  await expect(experiments.figures.getByRole('columnheader', { name: 'vs Replay' })).toBeVisible()

  // By keyboard to another cell, and into its run.
  await experiments.cells.first().focus()
  await app.page.keyboard.press('ArrowDown')
  await app.page.keyboard.press('ArrowRight')
  await app.page.keyboard.press('Enter')
  await expect(run.heading).toHaveText('Replay on House rules: Harbor')
  await expect(run.progress).toHaveText('15 of 15 tasks')
  await expect(run.finished).toHaveCount(15)
  await expect(run.cancel).toBeHidden()
  await run.openTask(15)
  await expect(run.story).toContainText('Outcome')
  await experiments.back.click()
  await expect(experiments.progress).toHaveText('10 of 10 cells')

  // Runs of a person's own are elsewhere.
  await app.page.reload()
  await expect(experiments.progress).toHaveText('10 of 10 cells')
  await app.goTo('Runs')
  await expect(run.demo).toBeVisible()
})

test(
  'an experiment can be paused, resumed, cancelled, saved as a file and composed again from it',
  { tag: '@long' },
  async ({ app, experiments }) => {
    await app.goTo('Experiments')
    await experiments.seeds('1-12')
    await experiments.tasks(100)
    await experiments.start.click()
    // Several cells may be at work at once.
    await expect(experiments.cell(/: running\. [1-9]/).first()).toBeVisible()
    await experiments.pause.click()
    await expect(experiments.cell(/^No memory, seed 1: (paused|finished)/)).toBeVisible()
    await experiments.resume.click()
    await expect(experiments.pause).toBeVisible()
    await experiments.cancel.click()
    await app.confirm('Cancel the experiment')
    await expect(experiments.cancel).toBeHidden()
    await expect(experiments.cell(/^No memory, seed 12: cancelled/)).toBeVisible()

    const file = await experiments.save()
    expect(file.name).toMatch(/\.yaml$/)
    expect(file.text).toContain('stream: house-rules-a')
    await app.page.getByRole('button', { name: 'New experiment' }).click()
    await experiments.openFile('mine.yaml', file.text.replace('tasks: 100', 'tasks: 7'))
    await expect(experiments.plan).toHaveText(/^36 cells of 7 tasks, about \d+ (s|min)$/)

    await experiments.openFile('broken.yaml', 'stream: a\nmethods: [none]\nseedz: 3')
    await expect(app.page.getByRole('alert')).toContainText('seedz')
  },
)

test(
  'prompts that do not fit are shown as OOM, and a variant stands beside its method',
  { tag: '@long' },
  async ({ app, experiments }) => {
    await app.goTo('Experiments')
    await experiments.seeds('1')
    await experiments.tasks(20)
    await experiments.exp(32)
    await experiments.method('Replay', false)
    await experiments.more()
    await app.page.getByLabel('Context').fill('450')
    await app.page.getByRole('button', { name: 'Add a variant' }).click()
    await expect(experiments.work).toContainText('is just like “case-bank”')
    await app.page.getByLabel('Called').fill('solved-only')
    await app.page.getByRole('switch', { name: 'Failed attempts' }).click()
    await expect(experiments.plan).toHaveText('5 cells of 20 tasks')
    await experiments.start.click()
    await expect(experiments.progress).toHaveText('5 of 5 cells', { timeout: 120_000 })
    const oom = experiments.cell(/^Case bank, K 32, seed 1: finished, but some prompts were too long/)
    await expect(oom).toContainText('OOM')
    await expect(experiments.cell(/^solved-only, K 4, seed 1: finished/)).toBeVisible()
    await expect(experiments.figures).toContainText('prompts too long for the model')
  },
)
