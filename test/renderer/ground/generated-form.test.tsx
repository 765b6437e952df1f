// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { methodInfo } from '../../../src/core/ground/method'
import { readSettings } from '../../../src/core/ground/settings'
import { checkRunSettings, parseRunSetting } from '../../../src/core/lab/setting-groups'
import { findMethod } from '../../../src/core/methods'
import { SETTINGS } from '../../../src/core/methods/evosc/settings'
import { GeneratedForm } from '../../../src/renderer/ground/generated-form'
import { methodInfoSchema } from '../../../src/shared/domain/method'
import { runConfigSchema } from '../../../src/shared/domain/run'
import type { SettingChanges } from '../../../src/shared/domain/setting'

// What crosses the contract: the list of methods as the window receives it.
const told = methodInfoSchema.parse(JSON.parse(JSON.stringify(methodInfo(findMethod('evosc')))))

function Form({ seen }: { seen: SettingChanges[] }) {
  const [changes, setChanges] = useState<SettingChanges>({})
  if (!told.settings) return null
  return (
    <GeneratedForm
      group={told.settings}
      changes={changes}
      onChange={(next) => {
        seen.push(next)
        setChanges(next)
      }}
    />
  )
}

test('one setting from its schema to the form, and back into a run', async () => {
  const user = userEvent.setup()
  const seen: SettingChanges[] = []
  render(<Form seen={seen} />)
  // Words, unit, source and default stand on screen as they do in the schema.
  const field = screen.getByLabelText<HTMLInputElement>(/^Lessons kept/)
  expect(field.value).toBe('20')
  expect(screen.getByText('Of each kind; the oldest goes first.').textContent).toContain('EvoSC, section 4.1')
  expect(screen.getAllByText('lessons').length).toBeGreaterThan(0)
  // What is beyond its bounds does not count.
  await user.clear(field)
  await user.type(field, '999')
  expect(seen.at(-1)).toEqual({ evosc: { capacity: 99 } })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await user.clear(field)
  await user.type(field, '8')
  const changes = seen.at(-1) ?? {}
  expect(changes).toEqual({ evosc: { capacity: 8 } })
  expect(screen.getByText('· changed')).toBeDefined()
  // The same change as on the command line; run.json holds it; the method reads it.
  expect(parseRunSetting('evosc.capacity=8')).toEqual(changes)
  const config = {
    stream: 's',
    method: 'evosc',
    model: '/m.gguf',
    k: 4,
    memoryId: 'x',
    settings: checkRunSettings(changes),
  }
  const stored = runConfigSchema.parse(JSON.parse(JSON.stringify(config)))
  expect(readSettings(SETTINGS, stored.settings)).toMatchObject({ capacity: 8, shown: 8 })
})

test('switches and choices are what they are in the schema', async () => {
  const user = userEvent.setup()
  const seen: SettingChanges[] = []
  render(<Form seen={seen} />)
  await user.click(screen.getByRole('switch', { name: 'Train a soft prompt' }))
  expect(seen).toEqual([{ evosc: { ptc: true } }])
  await user.click(screen.getByRole('switch', { name: 'Train a soft prompt' }))
  expect(seen.at(-1)).toEqual({})
})
