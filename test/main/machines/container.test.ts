import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createContainerDriver } from '../../../src/main/machines/container'

vi.setConfig({ testTimeout: 120_000 })

const image = process.env['LOAM_OS_IMAGE'] ?? ''
const program = (() => {
  try {
    execFileSync('which', ['podman'])
    return 'podman'
  } catch {
    return 'docker'
  }
})()

/** Names of containers that belong to a process. */
const containersOf = (pid: number): string[] =>
  execFileSync(program, ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name.startsWith(`loam-${pid}-`))

it.skipIf(image === '')(
  'a program that does not keep limits is refused (LOAM_OS_IMAGE names an image)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-no-limits-'))
    const real = execFileSync('which', [program], { encoding: 'utf8' }).trim()
    // The real program, told of no limits.
    const script = `#!/bin/bash\nkept=()\nwhile [ $# -gt 0 ]; do case "$1" in --pids-limit|--memory|--cpus) shift 2;; *) kept+=("$1"); shift;; esac; done\nexec ${real} "\${kept[@]}"\n`
    await writeFile(join(folder, program), script, { mode: 0o755 })
    const path = process.env['PATH'] ?? ''
    process.env['PATH'] = `${folder}:${path}`
    try {
      await expect(createContainerDriver(image)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringContaining('does not keep limits on processes and memory') as string,
      })
    } finally {
      process.env['PATH'] = path
      await rm(folder, { recursive: true })
    }
    expect(containersOf(process.pid)).toEqual([])
  },
)

it.skipIf(image === '')(
  'a container of a killed process is removed by the next one (LOAM_OS_IMAGE names an image)',
  async () => {
    const script = `
    import { createContainerDriver } from '${join(process.cwd(), 'src/main/machines/container.ts')}'
    const driver = await createContainerDriver('${image}')
    await driver.open()
    console.log('open')
    setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    const { pid = 0 } = child
    const own = await (await createContainerDriver(image)).open()
    expect(containersOf(pid)).toHaveLength(1)
    child.kill('SIGKILL')
    await new Promise<void>((resolve) => child.once('close', () => resolve()))
    await createContainerDriver(image)
    expect(containersOf(pid)).toEqual([])
    // Those of a process that goes on are left alone.
    expect(containersOf(process.pid)).toHaveLength(1)
    await own.close()
  },
)
