import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main/cli/main'

async function script(...argv: string[]): Promise<string> {
  const said: string[] = []
  const io = {
    out: (line: string) => void said.push(line),
    note: (line: string) => void said.push(line),
    status: () => undefined,
    tell: () => undefined,
    endStatus: () => undefined,
    ask: null,
    type: null,
    color: false,
    signal: new AbortController().signal,
  }
  await main(argv, io)
  return said.join('\n')
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

/** What bash would offer for a line. */
function offered(source: string, words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ')
  const ask = `${source}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _loam; printf '%s\\n' "\${COMPREPLY[@]}"`
  return spawnSync('bash', ['-c', ask], { encoding: 'utf8' }).stdout.trim().split('\n')
}

describe('completion', () => {
  it.skipIf(!has('bash'))(
    'offers commands, verbs and the options that a command takes, in bash itself',
    async () => {
      const source = await script('completion', 'bash')
      expect(offered(source, ['loam', 'ex'])).toEqual(['experiment', 'experiments', 'export'])
      expect(offered(source, ['loam', 'kb', 's'])).toEqual(['search', 'stats', 'serve'])
      expect(offered(source, ['loam', 'run', '--met'])).toEqual(['--method'])
      expect(offered(source, ['loam', 'memory', 'search', '--al'])).toEqual(['--alpha'])
      expect(offered(source, ['loam', 'kb', 'stats', '--al'])).toEqual([''])
      expect(offered(source, ['loam', 'run', '--method', 'evo'])).toEqual(['evosc'])
      expect(offered(source, ['loam', 'runs', '--d'])).toEqual(['--data'])
    },
  )

  it('is written for zsh and fish too', async () => {
    expect(await script('completion', 'zsh')).toContain('bashcompinit')
    expect(await script('completion', 'fish')).toContain('-l method -x')
    expect(await script('completion', 'tcsh')).toContain('For which shell?')
  })

  it('says which command was probably meant', async () => {
    expect(await script('experimnt')).toContain('Did you mean experiment?')
    expect(await script('zzz')).toContain('--help')
  })
})
