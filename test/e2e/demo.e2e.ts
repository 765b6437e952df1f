import { expect, needsDemoModel, test } from './fixtures'

const DEMO_WITHIN_MS = 14 * 60_000

const share = (outcomes: readonly number[]) =>
  outcomes.reduce((sum, outcome) => sum + outcome, 0) / outcomes.length

test.beforeEach(needsDemoModel)

// Both of its runs take a minute of a processor and more.
test(
  'start, run the demo, watch the curve rise, open a case, export',
  { tag: '@long' },
  async ({ app, run, cases, exporting }) => {
    test.setTimeout(DEMO_WITHIN_MS + 120_000)
    await run.demo.click()

    // Both runs share one chart, and finished tasks can be read while the next one is going.
    await expect(run.curves()).toHaveCount(2)
    await expect(run.finished.first()).toBeVisible({ timeout: 120_000 })
    await run.openTask(1)
    await expect(run.story).toContainText('Outcome')
    // The first run can be over by now, and with it what there was to follow.
    const follow = app.page.getByRole('button', { name: 'Follow the run' })
    if (await follow.isVisible()) await follow.click({ timeout: 5000 }).catch(() => undefined)

    await expect(app.page.getByRole('button', { name: /· seed 1.*finished/ })).toHaveCount(2, {
      timeout: DEMO_WITHIN_MS,
    })
    const memory = app.page.getByRole('button', { name: /Case bank · seed/ })
    await memory.click()
    await expect(run.progress).toHaveText('120 of 120 tasks')
    const learned = await run.outcomes()
    await app.page.getByRole('button', { name: /^(?!Case bank).* · seed/ }).click()
    await expect(run.heading).not.toContainText('Case bank')
    const baseline = await run.outcomes()

    expect(learned).toHaveLength(120)
    expect(baseline).toHaveLength(120)
    expect(share(learned.slice(-40))).toBeGreaterThan(share(learned.slice(0, 40)))
    expect(share(learned.slice(-40))).toBeGreaterThan(share(baseline.slice(-40)) + 0.2)

    // From the story of the last task to a case it recalled.
    await memory.click()
    await run.openTask(120)
    await expect(run.story).toContainText('Recalled 4 cases')
    await run.story.getByRole('listitem').getByRole('button').first().click()
    await expect(cases.plan).toBeVisible()
    await expect(cases.count).toContainText('120 items')
    await cases.showSource()
    await expect(cases.source).toContainText('Outcome')
    await app.page.keyboard.press('Escape')

    await app.goTo('Memory')
    // All that it remembers, not the cases alone.
    await app.page.getByRole('group', { name: 'Kinds' }).getByRole('button', { name: /^All/ }).click()
    const file = await exporting.download()
    expect(file.name).toMatch(/\.jsonl$/)
    expect(file.lines[0]).toMatchObject({ format: 'loam-space' })
    const kinds = file.lines.slice(1).map((line) => line['kind'])
    expect(kinds.filter((kind) => kind === 'trajectory')).toHaveLength(120)
    expect(kinds.filter((kind) => kind === 'case')).toHaveLength(120)
  },
)

test('a run can be paused, resumed and cancelled; its cases searched, deleted and brought back', async ({
  app,
  run,
  cases,
}) => {
  // Long enough not to end while the browser is being clicked through, however fast the machine is.
  await run.choose('Stream', /three worlds mixed/)
  await run.choose('Method', /Case bank/)
  await run.start.click()
  await expect(run.finished.nth(2)).toBeVisible({ timeout: 120_000 })
  await run.pause.click()
  await expect(run.resume).toBeVisible({ timeout: 60_000 })
  const paused = (await run.outcomes()).length
  await run.resume.click()
  await expect(run.finished.nth(paused)).toBeVisible({ timeout: 60_000 })
  await run.cancel.click()
  await app.confirm('Cancel the run')
  await expect(run.cancel).toBeHidden()

  await app.chooseMemory(/, seed \d+/)
  await app.goTo('Cases')
  await cases.rows.first().click()
  await expect(cases.plan).toBeVisible()
  const before = await cases.count.textContent()
  await cases.delete.click()
  await expect(cases.open).toContainText('Deleted')
  await cases.undo.click()
  await expect(cases.open).not.toContainText('Deleted')
  await expect(cases.count).toContainText(before?.split(',')[0] ?? 'no count')
  await cases.search.fill('zzzz qqqq')
  await expect(app.page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible()
})
