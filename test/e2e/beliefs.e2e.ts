import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from './fixtures'

const program = join(import.meta.dirname, '..', '..', 'out', 'main', 'cli', 'index.js')

const call = (command: string) => ({
  ...{ id: 'c', type: 'function' },
  function: { name: 'bash', arguments: JSON.stringify({ command }) },
})
/** A session of another agent that made one call. */
const session = (name: string, command: string, answer: string, end: string) => ({
  messages: [
    { role: 'user', content: `Open the store of ${name}.` },
    { role: 'assistant', content: null, tool_calls: [call(command)] },
    { role: 'tool', tool_call_id: 'c', content: answer },
    { role: 'assistant', content: end },
  ],
})
const SESSIONS = [
  ...['eve', 'fay', 'gil'].map((name) => session(name, `open ${name}`, 'open', 'It is open.')),
  ...['ada', 'bob', 'cem', 'dan'].map((name) =>
    session(
      name,
      `frob --force ${name}`,
      'frob: cannot open the store, it is locked',
      'It cannot be opened.',
    ),
  ),
]

test.use({
  seed: ({}, use) =>
    use(async (data) => {
      const log = join(data, '..', `${data.split('/').at(-1) ?? ''}-chat.jsonl`)
      await writeFile(log, `${SESSIONS.map((one) => JSON.stringify(one)).join('\n')}\n`)
      await promisify(execFile)(process.execPath, [program, 'import', log, '--data', data])
    }),
})

test('what attempts taught is listed with its quotations, taken for wrong, restored, deleted and brought back', async ({
  app,
}) => {
  const { page } = app
  await app.goTo('Memory')
  const list = page.getByRole('listbox', { name: 'Items' })
  const open = page.getByRole('region', { name: 'The open item' })
  const show = async (what: 'In use' | 'Not in use') => {
    await page.getByRole('button', { name: /^Show:/ }).click()
    await page.getByRole('menuitemradio', { name: new RegExp(`^${what}`) }).click()
  }
  await page
    .getByRole('group', { name: 'Kinds' })
    .getByRole('button', { name: /^Beliefs/ })
    .click()
  await expect(list.getByRole('option')).toHaveCount(1)
  await list.getByRole('option').first().click()
  await expect(open.getByRole('heading', { level: 1 })).toHaveText(/bash refuses where it holds `/)
  await open.getByRole('tab', { name: 'Where it came from' }).click()
  await expect(open.getByRole('tabpanel')).toContainText('frob: cannot open the store, it is locked')
  await expect(open.getByRole('tabpanel')).toContainText('Round 1, what came back')

  await open.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit the belief' })
  await form.getByRole('radio', { name: 'No' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(list.getByRole('option')).toHaveCount(0)

  await show('Not in use')
  await expect(list.getByRole('option')).toHaveCount(1)
  await list.getByRole('option').first().click()
  await expect(open).toContainText('You say that it is wrong')
  await open.getByRole('button', { name: 'Restore' }).click()
  await expect(list.getByRole('option')).toHaveCount(0)

  await show('In use')
  await expect(list.getByRole('option')).toHaveCount(1)
  await list.getByRole('option').first().click()
  await open.getByRole('button', { name: 'Delete' }).click()
  await expect(list.getByRole('option')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(list.getByRole('option')).toHaveCount(1)
})
