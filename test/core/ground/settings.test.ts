import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  checkChanges,
  defaultsOf,
  defineSettings,
  groupInfo,
  mergeChanges,
  onOff,
  parseChange,
  readSettings,
  settingFields,
  text,
  whole,
} from '../../../src/core/ground/settings'
import {
  changedSettings,
  settingGroupSchema,
  settingValue,
  withSetting,
} from '../../../src/shared/domain/setting'

const TEA = defineSettings('tea', 'Tea', {
  minutes: whole(1, 10, 3, { title: 'Minutes', help: 'How long.', unit: 'minutes', source: 'Section 2' }),
  share: z.number().gt(0).max(1).default(0.2).meta({ title: 'Share', help: 'How much.' }),
  milk: onOff(true, { title: 'Milk', help: 'With milk.' }),
  kind: z
    .enum(['green', 'black'])
    .default('green')
    .meta({ title: 'Kind', help: 'Which.', choices: { green: 'green tea', black: 'black tea' } }),
  from: text('', { title: 'From', help: 'A file.', look: 'path' }),
})
const groups = [TEA]

describe('settings declared once', () => {
  it('become fields with words, bounds and defaults', () => {
    expect(settingGroupSchema.parse(groupInfo(TEA)).fields).toEqual([
      {
        key: 'minutes',
        title: 'Minutes',
        help: 'How long.',
        unit: 'minutes',
        source: 'Section 2',
        kind: 'number',
        default: 3,
        whole: true,
        min: 1,
        max: 10,
        above: false,
      },
      {
        key: 'share',
        title: 'Share',
        help: 'How much.',
        unit: null,
        source: null,
        kind: 'number',
        default: 0.2,
        whole: false,
        min: 0,
        max: 1,
        above: true,
      },
      {
        key: 'milk',
        title: 'Milk',
        help: 'With milk.',
        unit: null,
        source: null,
        kind: 'switch',
        default: true,
      },
      {
        key: 'kind',
        title: 'Kind',
        help: 'Which.',
        unit: null,
        source: null,
        kind: 'choice',
        default: 'green',
        choices: [
          { value: 'green', title: 'green tea' },
          { value: 'black', title: 'black tea' },
        ],
      },
      {
        key: 'from',
        title: 'From',
        help: 'A file.',
        unit: null,
        source: null,
        kind: 'text',
        default: '',
        longest: null,
        look: 'path',
      },
    ])
    expect(defaultsOf(TEA)).toEqual({ minutes: 3, share: 0.2, milk: true, kind: 'green', from: '' })
  })

  it('are read over the defaults, passing over what is gone', () => {
    expect(readSettings(TEA, { tea: { minutes: 5, sugar: 2 }, other: { x: 1 } }).minutes).toBe(5)
    expect(readSettings(TEA, {}).milk).toBe(true)
  })

  it.each([
    [{ coffee: { minutes: 1 } }, 'no settings called "coffee"', 'settings of: tea'],
    [{ tea: { minute: 1 } }, 'no setting tea.minute', 'tea has: minutes, share'],
    [{ tea: { minutes: 11 } }, 'tea.minutes cannot be 11', 'Minutes: 1 to 10 minutes'],
    [{ tea: { share: 0 } }, 'tea.share cannot be 0', 'above 0 to 1'],
    [{ tea: { kind: 'red' } }, 'tea.kind cannot be "red"', 'green, black'],
  ])('refuse %j in words', (changes, cause, suggestion) => {
    expect(() => checkChanges(groups, changes)).toThrow(
      expect.objectContaining({
        code: 'BAD_INPUT',
        why: expect.stringContaining(cause) as string,
        suggestion: expect.stringContaining(suggestion) as string,
      }),
    )
  })

  it('are read off the command line by their kind', () => {
    const given = ['tea.minutes=7', 'tea.milk=off', 'tea.kind=black', 'tea.from=a=b.txt']
    expect(mergeChanges(...given.map((text) => parseChange(groups, text)))).toEqual({
      tea: { minutes: 7, milk: false, kind: 'black', from: 'a=b.txt' },
    })
    for (const bad of ['tea', 'tea.minutes=', 'tea.minutes=x', 'tea.milk=maybe'])
      expect(() => parseChange(groups, bad)).toThrow()
  })

  it('are written down only where they differ', () => {
    const info = groupInfo(TEA)
    const twice = withSetting(info, 'minutes', 9, withSetting(info, 'milk', false, { other: { x: 1 } }))
    expect(twice).toEqual({ other: { x: 1 }, tea: { milk: false, minutes: 9 } })
    expect(changedSettings(info, twice)).toBe(2)
    expect(withSetting(info, 'minutes', 3, withSetting(info, 'milk', true, twice))).toEqual({
      other: { x: 1 },
    })
    const [minutes] = info.fields
    expect(minutes && settingValue(info, minutes, twice)).toBe(9)
  })

  it('must have words and bounds', () => {
    const bare = defineSettings('bare', 'Bare', { x: z.boolean().default(true) })
    expect(() => settingFields(bare)).toThrow('bare.x has no title and help')
    const open = defineSettings('open', 'Open', { x: z.number().default(1).meta({ title: 'X', help: 'X.' }) })
    expect(() => settingFields(open)).toThrow('open.x has no smallest and largest value')
  })
})
