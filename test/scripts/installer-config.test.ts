import { expect, test } from 'vitest'
import { installerConfig } from '../../scripts/installer/config.mjs'

test('what is installed opens bundles, models and links, and has what its programs read beside it', () => {
  const config = installerConfig({ app: '/app', output: '/dist', electron: undefined })
  expect(config.fileAssociations.map(({ ext }) => ext)).toEqual(['loam', 'gguf'])
  expect(config.protocols).toEqual([{ name: 'Loam link', schemes: ['loam'] }])
  const filters = config.extraResources.flatMap(({ filter = [] }) => filter)
  expect(filters).toEqual(expect.arrayContaining(['registry.json', 'known.json', 'icon.png', 'streams/**']))
  // Nothing looks for newer versions.
  expect(config.publish).toBeNull()
})
