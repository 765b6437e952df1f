import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { deskTools, playDesk, repliesTo } from '../../models/training/desk-expert'
import { openDeskBox } from '../../models/training/desk-tools'
import { createDeskGenerator, DESK_PROMPTS, type DeskPrompts } from '../../models/training/desks'
import { DESK_KINDS, drawDeskTask, HELD_OUT_WORDINGS } from '../../src/core/tasks/qa/desk/tasks'
import { createDesk } from '../../src/core/tasks/qa/desk/world'
import { createRng } from '../../src/core/ground/random'
import { readExecutorReply } from '../../src/core/agent/executor-reply'
import { loadPrompts } from '../../src/main/ground/prompts'

const templates = await loadPrompts(new URL('../../resources/prompts', import.meta.url).pathname)
const prompts = Object.fromEntries(
  DESK_PROMPTS.map((id) => [id, templates.text(id)]),
) as unknown as DeskPrompts
const tools = ['read_document', 'list_documents', 'calculate'].map((name) => ({
  ...{ name, server: 'test', description: name, inputSchema: { type: 'object', properties: {} } },
}))
const setting = { planner: prompts['qa-planner'], executor: prompts['qa-executor'], tools }

test('the expert solves every kind through planner and executor, with two to five calls, and gets over slips', async () => {
  const rng = createRng('test')
  const replanned: string[] = []
  for (let i = 0; i < 60; i++) {
    const kind = rng.pick(DESK_KINDS)
    const slips = i % 2 === 1
    // Throws where a reply is left over or the answer is not taken for right.
    const { trajectory } = await playDesk(
      drawDeskTask(rng, createDesk(`train:test/${i}`), `t${i}`, { kind }),
      {
        ...setting,
        slips,
      },
    )
    const calls = (trajectory.cycles ?? []).flatMap(({ subtasks }) => subtasks.flatMap((one) => one.calls))
    const right = calls.filter(({ answer }) => answer?.failed === false)
    expect(right.length).toBeGreaterThanOrEqual(2)
    expect(right.length).toBeLessThanOrEqual(4)
    if (slips) expect(calls.length).toBeGreaterThan(right.length)
    if ((trajectory.cycles ?? []).length > 2) replanned.push(kind)
  }
  expect(new Set(replanned)).toEqual(new Set(['rest']))
})

test('samples learn what the expert writes, never a slip, nothing held out, and show past plans in part', async () => {
  const generator = createDeskGenerator(prompts, tools, 'test')
  const samples = []
  for (let i = 0; i < 40; i++) samples.push(await generator.next())
  const pieces = samples.flatMap(({ branches }) => branches.flat())
  expect(pieces.some(({ learn, text }) => !learn && /"path": "\w+", "inner"/.test(text))).toBe(true)
  for (const { learn, text } of pieces) {
    if (!learn || !text.startsWith('{"tool"')) continue
    const read = readExecutorReply(text, tools)
    expect(read.kind).toBe('tool')
    if (read.kind === 'tool' && read.tool === 'read_document')
      expect(read.arguments['path']).toMatch(/\.(?:txt|md)$/)
  }
  const all = samples
    .map(
      ({ recalled, branches }) =>
        recalled +
        branches
          .flat()
          .map(({ text }) => text)
          .join('\n'),
    )
    .join('\n')
  for (const wording of Object.values(HELD_OUT_WORDINGS))
    for (const part of wording.split(/\{\w\}/).filter((one) => one.length >= 10))
      expect(all).not.toContain(part)
  const planners = samples.filter(({ system }) => system === setting.planner)
  const shown = planners.filter(({ recalled }) => recalled.startsWith('Plans that worked on similar tasks:'))
  expect(shown.length).toBeGreaterThan(2)
  expect(shown.length).toBeLessThan(planners.length)
  for (const { recalled, branches } of shown) {
    expect(recalled).toContain('{"plan":[')
    for (const [first] of branches) expect(first?.text).toMatch(/^Files in the task's folder: /)
  }
})

test.skipIf(!existsSync(resolve('out/main/mcp/index.js')))(
  'what the tools of training answer is what the servers themselves answer (needs a build)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-desk-test-'))
    const desk = createDesk('train:servers')
    const names = [...desk.files.keys()].toSorted()
    for (const name of names) await writeFile(join(folder, name), desk.files.get(name) ?? '')
    const box = await openDeskBox(folder)
    try {
      const twin = deskTools(desk, names, box.list())
      const rng = createRng('servers')
      const asked = DESK_KINDS.flatMap((kind) =>
        [true, false].flatMap((slips) => repliesTo(drawDeskTask(rng, desk, 't', { kind }), desk, slips)),
      )
      let compared = 0
      for (const { text } of asked) {
        const read = text.startsWith('{"tool"') ? readExecutorReply(text, box.list()) : null
        if (read?.kind !== 'tool') continue
        const [own, real] = [
          await twin.call(read.tool, read.arguments),
          await box.call(read.tool, read.arguments),
        ]
        expect([read, own.text, own.failed]).toEqual([read, real.text, real.failed])
        compared++
      }
      expect(compared).toBeGreaterThan(15)
    } finally {
      await box.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
  60_000,
)
