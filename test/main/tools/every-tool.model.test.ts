import { expect } from 'vitest'
import { TOOL_SERVERS } from '../../../src/main/tool-servers'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'
import { askAndWait, hasTools, useAsksRig } from '../asks/rig'
import { longTestWhere } from '../../torture'

/** What somebody may want of each; of one that comes later, what its tools are for. */
const TASKS: Readonly<Record<string, string>> = {
  code: 'Run Python code that prints 17 * 23.',
  math: 'Calculate 12.5 / 100 * 640.',
  documents: 'Read report.csv and say which town is in its second row.',
  search: 'Search the web for the height of the Matterhorn.',
  crawl: 'Read the page http://127.0.0.1:9/harbour and say what it is about.',
  captions: 'Say what the picture ship.png shows.',
}
const REPORT = {
  name: 'report.csv',
  base64: Buffer.from('town,people\nUtrecht,360\nDelft,104\n').toString('base64'),
}

const openRig = useAsksRig()

// SmolLM2 is too small for tools and gets none unasked; what it makes of those it is told to use must be said all the same.
longTestWhere(hasSmolLm2 && hasTools).each(TOOL_SERVERS.map(({ id }) => ({ id })))(
  'a real small model with the tools of $id',
  async ({ id }) => {
    const { app } = await openRig()
    const { ask, attempts } = await askAndWait(app, {
      text: TASKS[id] ?? `Use ${id}.`,
      model: SMOLLM2,
      tools: [id],
      temperature: 0,
      maxTokens: 96,
      ...(id === 'documents' && { files: [REPORT] }),
    })
    expect(ask).toMatchObject({ status: 'done', problem: null })
    const { rounds = [], question, finish, reason } = attempts[0]?.trajectory ?? {}
    const calls = rounds.filter(({ call }) => call !== undefined)
    expect(calls.length).toBeGreaterThan(0)
    // A call that was refused or broke says so to the model.
    for (const { failed, observation } of calls) if (failed) expect(observation).not.toBe('')
    expect(finish === 'completed' || (reason ?? '') !== '').toBe(true)
    expect(question?.answer ?? '').not.toMatch(/data, not instructions|^This is your last step/)
    expect(question?.answer ?? '').not.toMatch(/^\s*\{\s*"(?:tool|name)"/)
  },
  600_000,
)
