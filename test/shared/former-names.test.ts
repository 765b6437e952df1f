import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formerly, withCurrentNames } from '../../src/shared/domain/former-names'

describe('records of Loam 0.1', () => {
  it('are read with the names of today', () => {
    const record = { spacePath: '/m', config: { spaceId: 's', k: 4 }, list: [{ spaceId: 'in a list' }] }
    expect(withCurrentNames(record)).toEqual({
      memoryPath: '/m',
      config: { memoryId: 's', k: 4 },
      list: [{ spaceId: 'in a list' }],
    })
  })

  it('leave what a tool was called with as it was', () => {
    const deep = { attempt: { trajectory: { rounds: { call: { arguments: { spaceId: 1 } } } } } }
    expect(withCurrentNames(deep)).toEqual(deep)
  })

  it('of today come back equal', () => {
    const record = { memoryId: 'm', at: null, n: [1, 2] }
    expect(withCurrentNames(record)).toEqual(record)
  })

  it('are read by a schema under both names, and under no third', () => {
    const schema = formerly({ space: 'memory' }, z.strictObject({ memory: z.string() }))
    expect(schema.parse({ space: 'a' })).toEqual({ memory: 'a' })
    expect(schema.parse({ memory: 'a' })).toEqual({ memory: 'a' })
    expect(schema.safeParse({ room: 'a' }).success).toBe(false)
  })
})
