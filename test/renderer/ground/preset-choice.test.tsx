// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { AGENT } from '../../../src/core/agent/settings'
import { methodInfo } from '../../../src/core/ground/method'
import { groupInfo } from '../../../src/core/ground/settings'
import { findMethod } from '../../../src/core/methods'
import { QUESTIONS } from '../../../src/core/tasks/qa/entry'
import { MethodSettings } from '../../../src/renderer/ground/method-settings'
import { methodInfoSchema } from '../../../src/shared/domain/method'
import type { SettingChanges } from '../../../src/shared/domain/setting'

const told = methodInfoSchema.parse(JSON.parse(JSON.stringify(methodInfo(findMethod('case-bank-q')))))

function Form({ seen, numbers }: { seen: SettingChanges[]; numbers: object[] }) {
  const [preset, setPreset] = useState<string | null>(null)
  const [presetChoice, setPresetChoice] = useState<string | null>(null)
  const [changes, setChanges] = useState<SettingChanges>({ 'case-bank-q': { hidden: 16 } })
  return (
    <MethodSettings
      method={told}
      changes={changes}
      environment={QUESTIONS}
      others={[groupInfo(AGENT)]}
      onChange={(next) => {
        seen.push(next)
        setChanges(next)
      }}
      preset={preset}
      presetChoice={presetChoice}
      onPresetChoice={setPresetChoice}
      onPreset={(name, given) => {
        numbers.push({ name, ...given })
        setPreset(name)
      }}
    />
  )
}

test('a preset is chosen, says what it would change, and is taken over', async () => {
  const user = userEvent.setup()
  const seen: SettingChanges[] = []
  const numbers: object[] = []
  render(<Form seen={seen} numbers={numbers} />)
  await user.click(screen.getByRole('button', { name: /^Preset/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /As in the paper, GAIA/ }))
  const lines = screen.getByRole('list', { name: 'What the preset sets' }).textContent ?? ''
  expect(lines).toContain('Cold start: 0, now 30')
  expect(lines).toContain('Solved means: an exact match, now the judge agrees on open questions')
  expect(lines).toContain('Temperature: 1')
  // Nothing is changed until it is taken over.
  expect(seen).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Take it over' }))
  // Its own settings wholly: what was changed before is as in the paper again. Defaults are not written down.
  expect(seen.at(-1)).toEqual({
    'case-bank-q': { coldStart: 0, candidates: 10_000 },
    agent: { grade: 'exact' },
  })
  expect(numbers).toEqual([{ name: 'paper/gaia', k: 4, temperature: 1, contextSize: 175_000 }])
  expect(screen.getByText(/^Taken over/)).toBeTruthy()
  // Chosen away again, the settings stay and go by no name.
  await user.click(screen.getByRole('button', { name: /^Preset/ }))
  await user.click(await screen.findByRole('menuitemradio', { name: /^None/ }))
  expect(numbers.at(-1)).toEqual({ name: null })
  expect(seen).toHaveLength(1)
})
