import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRng } from '../../core/ground/random'
import type { AnyToolServer } from '../tool-servers/module'
import { optionArguments, optionFields, readServerOptions } from '../tool-servers/options'
import type { ToolServers } from '../tools/tool-servers'
import { draw, check, saysSomething, type Check } from './draw'

/** What the suite stands on: the tool servers of a host. */
export interface ToolServerRig {
  readonly tools: Pick<ToolServers, 'test' | 'openBox'>
}

/** What every tool server has to do, started as a process of its own. */
export function toolServerChecks(server: AnyToolServer, rig: () => ToolServerRig): Check[] {
  const withBox = async (run: (box: Awaited<ReturnType<ToolServers['openBox']>>) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-tools-'))
    for (const [name, text] of Object.entries(server.files ?? {})) await writeFile(join(folder, name), text)
    const box = await rig().tools.openBox({ from: 'the suite', folder, servers: [server.id], allowed: 'all' })
    try {
      assert.deepEqual(box.problems, [])
      await run(box)
    } finally {
      await box.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  return [
    check('has words, and options that are documented and read back what they write', () => {
      saysSomething({ id: server.id, title: server.title, about: server.about })
      const fields = optionFields(server)
      for (const { key, title, help } of fields) saysSomething({ key, title, help })
      const defaults = Object.fromEntries(fields.map((field) => [field.key, field.default]))
      assert.deepEqual(readServerOptions(server, optionArguments(server, defaults)), server.options.parse({}))
      assert.throws(() => readServerOptions(server, ['--no-such-option']))
    }),
    check('starts, and has the tools that it names and no others', async () => {
      const { status } = await rig().tools.test(server.id)
      assert.equal(status.kind, 'ready', status.kind === 'failed' ? status.reason : status.kind)
      assert.deepEqual(
        status.tools.map(({ name }) => name).sort(),
        server.tools.map(({ name }) => name).sort(),
      )
      for (const { needs } of server.tools) saysSomething({ needs })
    }),
    check('answers a good call of each tool, and a wrong one in words', () =>
      withBox(async (box) => {
        for (const { name, example, wrong } of server.tools) {
          const good = await box.call(name, example.args)
          assert.equal(good.failed, false, `${name}: ${good.text}`)
          assert.ok(good.text.includes(example.answers), `${name} answers ${good.text.slice(0, 200)}`)
          if (wrong === null) continue
          const bad = await box.call(name, wrong)
          assert.equal(bad.failed, true, `${name} takes a wrong call`)
          saysSomething({ text: bad.text })
        }
      }),
    ),
    check('answers calls drawn from the schemas of its tools', () =>
      withBox(async (box) => {
        for (const { name, inputSchema } of box.list()) {
          const answer = await box.call(name, draw(inputSchema, createRng(name)) as Record<string, unknown>)
          assert.equal(typeof answer.text, 'string')
        }
      }),
    ),
  ]
}
