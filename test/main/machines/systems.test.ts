import { describe, expect, it, vi } from 'vitest'
import { createOsDrivers } from '../../../src/main/machines/drivers'
import { SYSTEMS } from './systems'

vi.setConfig({ testTimeout: 120_000 })

const TIDY = [
  ['a fresh shell as root in /', 'pwd; whoami', '/\nroot\n'],
  ['files that stay', 'echo kept > /note', ''],
  ['and are there for the next script', 'cat /note', 'kept\n'],
  ['no variables of the last one', 'x=1', ''],
  ['so that they are unset', 'echo "[$x]"', '[]\n'],
  ['groups and users', 'groupadd crew && useradd -m -G crew ann && id -nG ann', 'ann crew\n'],
  ['members added and removed', 'gpasswd -d ann crew > /dev/null; id -nG ann', 'ann\n'],
  ['owners', 'touch /mine && chown ann:crew /mine && stat -c "%U %G %a" /mine', 'ann crew 644\n'],
  ['permissions kept over a write', 'chmod 600 /mine && echo x > /mine && stat -c %a /mine', '600\n'],
  [
    'groups handed down',
    'mkdir /team && chgrp crew /team && chmod 2775 /team && touch /team/f && stat -c %G /team/f',
    'crew\n',
  ],
  ['files found by owner', 'find / -maxdepth 1 -user ann', '/mine\n'],
  [
    'files others may not read',
    'chmod 700 /team; su ann -c "cat /note"; chown root /team; su ann -c "cat /team/f" 2> /dev/null; echo $?',
    'kept\n1\n',
  ],
  ['shells', 'chsh -s /bin/sh ann && getent passwd ann | cut -d: -f7', '/bin/sh\n'],
  ['when passwords end', 'chage -M 30 ann && chage -l ann | grep Maximum | cut -d: -f2 | tr -d " "', '30\n'],
  ['both outputs', 'echo out; echo err >&2', 'out\nerr\n'],
] as const

describe.each(SYSTEMS)('a $id system', ({ missing, make }) => {
  it.skipIf(missing !== null)(
    `has shells, files, users and permissions${missing ? ` (${missing})` : ''}`,
    async () => {
      const machine = await (await make()).open()
      for (const [what, script, output] of TIDY) {
        const result = await machine.run(script, 10)
        expect({ what, output: result.output }).toEqual({ what, output })
      }
      await machine.close()
    },
  )

  it.skipIf(missing !== null)('tells exit codes, and what took too long', async () => {
    const machine = await (await make()).open()
    expect(await machine.run('exit 7', 5)).toEqual({ exitCode: 7, output: '' })
    expect(await machine.run('sleep 60; echo late', 1)).toMatchObject({ exitCode: null })
    expect(await machine.run('echo again', 5)).toEqual({ exitCode: 0, output: 'again\n' })
    await machine.close()
    await machine.close()
    expect(await machine.run('echo gone', 5)).toMatchObject({ exitCode: null })
  })

  it.skipIf(missing !== null)('keeps two systems apart', async () => {
    const driver = await make()
    const [one, other] = await Promise.all([driver.open(), driver.open()])
    await one.run('echo 1 > /only; useradd ann', 10)
    expect(await other.run('ls /only; id ann', 10)).toMatchObject({ exitCode: expect.any(Number) as number })
    expect((await other.run('[ -e /only ]', 10)).exitCode).toBe(1)
    await Promise.all([one.close(), other.close()])
  })
})

describe('a system that cannot be had', () => {
  const drivers = createOsDrivers()

  it('says what is missing', async () => {
    const none = { driver: 'bubblewrap', root: '', image: '' } as const
    await expect(drivers.find(none)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(drivers.find({ ...none, root: '/nowhere/at/all' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(
      drivers.find({ driver: 'container', root: '', image: 'loam/none:none' }),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  })
})
