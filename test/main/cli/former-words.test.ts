import { describe, expect, it } from 'vitest'
import { currentWords } from '../../../src/main/cli/former-words'
import { readCommandLine } from '../../../src/main/cli/program'

describe('words of Loam 0.1 on the command line', () => {
  it.each([
    [['brew', 'list', '--space', 'm'], 'guides list'],
    [['documents', '--space=m'], 'files'],
    [['connections', 'list'], 'servers list'],
    [['encoders'], 'embedders'],
    [['tokens', 'list'], 'keys list'],
    [['tokens', 'revoke', 'robot'], 'keys remove'],
    [['writes', '--space', 'm'], 'proposals'],
    [['consolidate', '--space', 'm', '--stream', 'house-rules-a'], 'soft-prompts train'],
  ])('%j is %s', (argv, words) => {
    const read = readCommandLine(currentWords(argv).argv)
    expect(read).toMatchObject({ kind: 'command', command: { words } })
  })

  it('say each new name once', () => {
    const { argv, notes } = currentWords(['brew', 'list', '--space=a', '--space=b'])
    expect(argv).toEqual(['guides', 'list', '--memory=a', '--memory=b'])
    expect(notes).toEqual(['"loam brew" is called "loam guides" now.', '"--space" is called "--memory" now.'])
  })

  it('of today stay as they are, and so do values', () => {
    const argv = ['ask', 'consolidate', '--memory', 'tokens']
    expect(currentWords(argv)).toEqual({ argv, notes: [] })
  })
})
