import { expect, test } from 'vitest'
import { UsageError, type Arguments } from '../../../src/main/cli/arguments'
import { COMMANDS } from '../../../src/main/cli/commands'
import { readCommandLine } from '../../../src/main/cli/program'
import { BOUNDS } from '../../../src/shared/domain/bounds'
import { studySchema } from '../../../src/shared/domain/experiment'

function readArguments(argv: readonly string[]): Arguments {
  const asked = readCommandLine(argv)
  if (asked.kind === 'text') throw new Error(asked.text)
  return asked.args
}

test('reads words, numbers and switches', () => {
  const args = readArguments(['run', '--stream', 'a', '--tasks', '12', '--json', '--gpu-layers', '3'])
  expect(args.positionals).toEqual(['run'])
  expect(args.text('stream')).toBe('a')
  expect(args.whole('tasks', [1, 100])).toBe(12)
  expect(args.whole('seed', [0, 100])).toBeUndefined()
  expect([args.json, args.gpuLayers()]).toEqual([true, 3])
})

test.each([
  ['an option nobody knows', ['run', '--bogus']],
  ['an option without its value', ['run', '--stream']],
])('refuses %s', (_, argv) => {
  expect(() => readArguments(argv)).toThrow(UsageError)
})

test.each(['0', '-1', '1.5', 'many', ''])('refuses --tasks %j', (value) => {
  expect(() => readArguments(['run', `--tasks=${value}`]).whole('tasks', [1, 100])).toThrow(/--tasks/)
})

test('refuses options of other commands, words too many, missing ones and unknown layers', () => {
  expect(() => readArguments(['runs', '--stream', 'a'])).toThrow("Unknown option '--stream'")
  expect(() => readArguments(['run', '--untie'])).toThrow("Unknown option '--untie'")
  expect(() => readArguments(['asks', 'judge', 'a', '--streem', 'x'])).toThrow(
    expect.objectContaining({ hint: 'Run "loam asks judge --help" for what it can do.' }),
  )
  expect(() => readArguments(['runs', 'all'])).toThrow('"all" is one word too many')
  const args = readArguments(['run', '--stream', 'a', '--gpu-layers', 'some'])
  expect(() => args.required('method')).toThrow('--method is missing')
  expect(() => args.gpuLayers()).toThrow(/--gpu-layers/)
})

test('takes switches of one command for given only when they are', () => {
  expect(readArguments(['soft-prompts', 'train']).flag('untie')).toBe(false)
  expect(readArguments(['soft-prompts', 'train', '--untie']).flag('untie')).toBe(true)
})

test('says which option was probably meant', () => {
  try {
    readArguments(['run', '--streem', 'a'])
    expect.fail('it was taken')
  } catch (error) {
    expect(error).toMatchObject({
      message: expect.stringContaining('--streem') as string,
      hint: 'Did you mean --stream?',
    })
  }
})

test('keeps a switch that begins with "no" apart from the option without it, and collects what may be said twice', () => {
  const args = readArguments([
    'run',
    '--soft-prompt',
    'f',
    '--set',
    'a=1',
    '--set',
    'b=2',
    '--no-soft-prompt',
  ])
  expect([args.text('soft-prompt'), args.flag('no-soft-prompt'), args.many('set'), args.positionals]).toEqual(
    ['f', true, ['a=1', 'b=2'], ['run']],
  )
})

const texts = (argv: readonly string[]): string => {
  const asked = readCommandLine(argv)
  return asked.kind === 'text' ? asked.text : ''
}

test('every command has its help from its own declaration, and the first help names all of them', () => {
  const all = texts(['--help'])
  for (const { words, args = '', about, options = [] } of COMMANDS) {
    // Words that are too long for a line of the first help go on in the next one.
    expect(all).toContain(words)
    const own = texts([...words.split(' '), '--help'])
    expect(own).toContain(`loam ${words} ${args}`.trim())
    expect(own.replace(/\s+/g, ' ')).toContain(about)
    for (const name of options) expect(own).toContain(`--${name}`)
    expect(texts(['help', ...words.split(' ')])).toBe(own)
  }
  expect(texts(['help'])).toBe(all)
})

test('a group without its verb says which there are', () => {
  expect(() => readCommandLine(['kb'])).toThrow('loam kb does what?')
  expect(() => readCommandLine(['kb', 'serch'])).toThrow(/unknown command 'serch'/i)
  expect(texts(['streams', '-h'])).toContain('generate')
})

test.each(['run', 'experiment', 'proxy'])(
  '%s takes a context of ten million tokens, as a file does',
  (command) => {
    const contextSize = readArguments([command, '--context', '10000000']).whole('context', BOUNDS.contextSize)
    const definition = { stream: 'house-rules-a', methods: ['none'], settings: { contextSize } }
    expect(studySchema.parse(definition).settings.contextSize).toBe(10_000_000)
  },
)

test.each(['models', 'memories', 'runs', 'streams', 'methods', 'asks', 'prompts'])(
  'lists %s also where one says so',
  (noun) => {
    const read = (...words: string[]) => readCommandLine(words)
    expect(read(noun, 'list')).toMatchObject({ kind: 'command', command: { words: noun } })
    const { args } = read(noun, 'list') as { args: { positionals: readonly string[] } }
    expect(args.positionals).toEqual([noun])
  },
)
