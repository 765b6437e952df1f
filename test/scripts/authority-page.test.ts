import { expect, test } from 'vitest'
import { authorityDocument } from '../../scripts/docs/authority-page'
import { servedTools } from '../../scripts/docs/served-tools'
import { contract } from '../../src/shared/contract'

test('the page of who may do what has every procedure and tool, and none of the person’s for a key', async () => {
  const page = authorityDocument(contract, await servedTools())
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const count = Object.values(contract).reduce((sum, area) => sum + Object.keys(area).length, 0)
  expect(rows).toHaveLength(count)
  const rowOf = (name: string) =>
    rows
      .find((row) => row.startsWith(`| \`${name}\``))
      ?.split(' | ')
      .slice(-4)
  expect(rowOf('app.saveSettings')).toEqual(['yes', '-', '-', '- |'])
  expect(rowOf('asks.list')).toEqual(['yes', 'yes', '-', '- |'])
  expect(rowOf('items.list')).toEqual(['yes', 'yes', 'of its own', '- |'])
  expect(page).toMatch(/\| of Loam \| `memory_search` \| yes \| yes \|/)
  expect(page).toMatch(/\| of Loam \| `memory_remember` \| - \| yes \|/)
})
