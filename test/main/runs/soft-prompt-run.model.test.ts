import { copyFile, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { infoPathOf } from '../../../src/main/soft-prompts/soft-prompt-file'
import { solvedAttempt } from '../soft-prompts/fixtures'
import { hasTinyModel, openAppRig, TINY_MODEL, trajectoriesOf, type AppRig } from './rig-app'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

let rig: AppRig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

test.skipIf(!hasTinyModel)(
  'a memory is consolidated, and its soft prompt is served, remembered and checked',
  async () => {
    rig = await openAppRig(2)
    const { app } = rig
    const { id } = await app.memories.create('learned')
    const memory = await app.memories.open(id)
    for (const word of ['red', 'blue', 'green', 'grey']) {
      const attempt = solvedAttempt(word, `Say ${word}.`, [`Action: Answer ${word}`])
      const trajectory = { ...attempt, task: { ...attempt.task, environment: 'lab-db' } }
      await memory.commit([{ kind: 'trajectory-added', trajectory }])
    }
    const { file } = await app.softPromptTraining.consolidate({
      memory: id,
      stream: 'small',
      model: TINY_MODEL,
      student: 0,
      actions: 'recorded',
      settings: { length: 10, steps: 3, batch: 2 },
    })
    expect(dirname(file.adapter)).toBe(join(app.memories.folder(id), 'artifacts', 'soft-prompts'))

    const play = async (method: string, softPrompt?: string) => {
      const choice = { stream: 'small', model: TINY_MODEL, maxTokens: 16, temperature: 0, k: 0 }
      const memoryId = method === 'evosc' ? id : null
      const run = await app.runDrafts.start({
        ...choice,
        method,
        memoryId,
        tasks: 1,
        ...(softPrompt !== undefined && { softPrompt }),
        settings: { evosc: { errorLessons: false, successLessons: false } },
      })
      const ended = await app.runs.ended(run.id)
      expect(ended).toMatchObject({ status: 'done', problem: null })
      const played = (await trajectoriesOf(app, run.id)).filter(({ runId }) => runId === run.id)
      return { run: ended, first: played[0] }
    }
    const without = await play('none')
    const served = await play('none', infoPathOf(file.adapter))
    expect(served.run.config.softPrompt).toBe(file.adapter)
    expect(without.run.config.softPrompt).toBeUndefined()
    expect(served.first?.recalled).toEqual([
      {
        kind: 'soft-prompt',
        id: file.info.adapterSha256,
        title: `Soft prompt of ${file.info.trajectories.length} attempts`,
        trajectoryId: null,
        score: null,
        scoreKind: 'learned',
        reward: null,
        tokens: 10,
      },
    ])
    const tokensOf = ({ first }: typeof served) => first?.rounds[0]?.usage.promptTokens ?? 0
    expect(tokensOf(served) - tokensOf(without)).toBe(10)
    // EvoSC takes the one in use in its memory by itself.
    const evosc = await play('evosc')
    expect(evosc.first?.recalled.map(({ kind }) => kind)).toEqual(['soft-prompt'])

    const other = join(app.data.path, 'other.gguf')
    await copyFile(TINY_MODEL, other)
    await truncate(other, 1_200_000)
    await expect(
      app.runDrafts.start({ stream: 'small', method: 'none', model: other, softPrompt: file.adapter }),
    ).rejects.toMatchObject({ code: 'SOFT_PROMPT' })
  },
)
