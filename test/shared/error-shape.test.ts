import { expect, it } from 'vitest'
import { loamErrorShape } from '../../src/shared/domain/error-shape'
import { LoamError, readErrorShape } from '../../src/shared/errors'

it('an error is read alike with zod and without', () => {
  const shape = new LoamError('INTERNAL', 'a cause', { suggestion: 'do this' }).toShape()
  const values: unknown[] = [
    shape,
    { ...shape, more: 1 },
    null,
    undefined,
    'INTERNAL',
    [],
    {},
    { ...shape, code: 'toString' },
  ]
  for (const key of Object.keys(shape)) values.push({ ...shape, [key]: 7 }, { ...shape, [key]: undefined })
  for (const value of values)
    expect(readErrorShape(value)).toEqual(loamErrorShape.safeParse(value).data ?? null)
  expect(readErrorShape(shape)).toEqual(shape)
})
