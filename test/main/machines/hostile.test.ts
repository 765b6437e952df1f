import { execFileSync } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { describe, expect, it, vi } from 'vitest'
import { SYSTEMS } from './systems'

vi.setConfig({ testTimeout: 180_000 })

/** Scripts that would harm a computer they ran on. */
const HOSTILE = [
  ['a fork bomb', ':(){ :|:& };: ; sleep 1'],
  ['processes without end', 'for i in $(seq 5000); do sleep 100 & done; sleep 1'],
  ['filling the disk', 'dd if=/dev/zero of=/big bs=1M count=4000; cat /dev/zero > /other; yes > /third'],
  ['many files', 'mkdir /many; for i in $(seq 9000); do echo $i > /many/$i; done'],
  ['filling the memory', 'x=a; while :; do x=$x$x; done'],
  ['killing everything', 'kill -9 -1; kill -9 1'],
  ['killing the parent', 'kill -9 $PPID'],
  ['deleting everything', 'rm -rf --no-preserve-root / 2>/dev/null'],
  ['output without end', 'yes; true'],
  ['running for ever', 'while :; do :; done'],
  [
    'raising its limits',
    'ulimit -u unlimited; mount -t tmpfs none /mnt; echo 1 > /proc/sys/kernel/panic; echo b > /proc/sysrq-trigger',
  ],
  ['the network', 'exec 3<>/dev/tcp/127.0.0.1/22 || exec 3<>/dev/tcp/1.1.1.1/53'],
  ['what lies outside', `cat ${tmpdir()}/loam-outside; ls /home/*/.ssh /mnt /host`],
] as const

const processesHere = () =>
  execFileSync('ps', ['-e', '-o', 'pid='], { encoding: 'utf8' }).trim().split('\n').length
const free = () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  return bavail * bsize
}

describe.each(SYSTEMS)('a $id system', ({ missing, make }) => {
  const title = `is not left by %s${missing ? ` (${missing})` : ''}`
  it.skipIf(missing !== null).each(HOSTILE)(title, async (_what, script) => {
    const driver = await make()
    const [before, room] = [processesHere(), free()]
    const machine = await driver.open()
    const { output } = await machine.run(script, 4)
    expect(output.length).toBeLessThan(20_000)
    // Whatever became of it, it can still be asked and closed.
    await machine.run('true', 2)
    await machine.close()
    expect(processesHere() - before).toBeLessThan(60)
    expect(room - free()).toBeLessThan(2 ** 30)
    expect(existsSync('/big') || existsSync('/many')).toBe(false)
    // The next one is as good as new.
    const next = await driver.open()
    expect(await next.run('useradd ann && id -un ann', 10)).toEqual({ exitCode: 0, output: 'ann\n' })
    await next.close()
  })

  it.skipIf(missing !== null)('has no network', async () => {
    let reached = 0
    const server = createServer(() => reached++)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const machine = await (await make()).open()
    await machine.run(
      `(exec 3<>/dev/tcp/127.0.0.1/${port}; echo hello >&3); curl -s http://127.0.0.1:${port}/`,
      5,
    )
    await machine.close()
    server.close()
    expect(reached).toBe(0)
  })
})
