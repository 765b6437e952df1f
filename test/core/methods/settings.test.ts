import { describe, expect, it } from 'vitest'
import { defaultsOf, groupInfo, readSettings } from '../../../src/core/ground/settings'
import { runSettings, checkRunSettings, parseRunSetting } from '../../../src/core/lab/setting-groups'
import { runConfigSchema } from '../../../src/shared/domain/run'
import { settingGroupSchema } from '../../../src/shared/domain/setting'

/** Keys and defaults as runs and definitions of earlier versions know them. */
const BEFORE = {
  'case-bank': { retrieval: 'semantic', solved: true, failed: true, perTask: 'all', ownTask: true },
  'case-bank-q': {
    rate: 0.01,
    coldStart: 30,
    candidates: 512,
    perTask: 'all',
    ownTask: true,
    steps: 4,
    batch: 32,
    replay: 10_000,
    hidden: 8,
    embedding: true,
  },
  'case-bank-softq': {
    form: 'deep',
    rate: 0.01,
    coldStart: 30,
    candidates: 512,
    perTask: 'all',
    ownTask: true,
    alpha: 0.02,
    gamma: 0.9,
    acrossTasks: false,
    nextCases: 4,
    period: 8,
    averaging: 0.5,
    steps: 4,
    batch: 32,
    replay: 10_000,
    hidden: 8,
    embedding: true,
  },
  'case-bank-nec': {
    rate: 0.02,
    coldStart: 3,
    candidates: 512,
    perTask: 'all',
    ownTask: true,
    alpha: 0.02,
    gamma: 0.9,
    acrossTasks: false,
    nextCases: 4,
    period: 8,
    averaging: 0.5,
    steps: 1,
    batch: 8,
    replay: 10_000,
    entries: 16,
  },
  evosc: {
    errorLessons: true,
    successLessons: true,
    attempts: true,
    softPrompt: true,
    ptc: false,
    ptcAfter: 0,
    ptcEvery: 0,
    ptcTeacher: 20,
    ptcStudent: 8,
    ptcLength: 0,
    ptcSteps: 100,
    ptcOtherwise: 'pause',
    capacity: 20,
    shown: 8,
    contrast: 2,
    dialogs: 'short',
    lessonLength: 'context',
    ptcBackend: 'cpu',
    ptcHoldOut: 0.3,
    ptcServe: 'if-better',
    ptcRetry: true,
    ptcCaution: 0,
  },
  awm: { examples: 1, capacity: 64 },
  scm: {
    controller: true,
    flash: true,
    activation: true,
    summaries: true,
    summaryOver: 300,
    budget: 2500,
  },
  amem: { links: true, evolution: true, neighbours: 4 },
  'agent-kb': {
    retrieval: 'hybrid',
    anyDomain: true,
    alpha: 0.5,
    prompts: 'loam',
    planning: true,
    feedback: 'environment',
    reason: true,
    retrieve: true,
    refine: true,
    raw: false,
    beta: 0.8,
    gatePlanning: false,
    abstract: true,
    dedup: true,
    tau: 0.8,
    eta: 0.2,
    exemplars: 15,
    ruleFloor: 0.45,
    trust: 0.9,
    budget: 100_000,
    evictUtility: 0.4,
    evictRecency: 0.2,
    evictFrequency: 0.2,
    evictTransfer: 0.2,
    halfLife: 30,
  },
  agent: {
    direct: 'auto',
    planner: true,
    tools: true,
    plannerThinking: 'fast',
    executorThinking: 'fast',
    thinkTokens: 512,
    planFirst: true,
    maxCycles: 3,
    maxSubtasks: 6,
    maxSteps: 8,
    tokenBudget: 100_000,
    timeBudget: 600,
    toolText: 4000,
    grade: 'auto',
    told: 'reward',
    allowed: 'code, math, documents, search, captions',
  },
  brew: {
    strategy: 'mcts',
    width: 3,
    depth: 3,
    iterations: 10,
    lambda: 0.5,
    exploration: Math.SQRT2,
    train: 20,
    evaluation: 10,
    shown: 3,
    retrieveAt: 'each-turn',
    mergeBelow: 0.2,
    concepts: 12,
    queries: 5,
    choose: 'sure',
    race: false,
    fresh: false,
    again: 30,
    use: 'auto',
    prompts: 'loam',
    keep: 'checked',
    found: 'nearest',
    tokenBudget: 0,
    minuteBudget: 0,
  },
  loam: {
    budget: 600,
    items: 16,
    price: 0.002,
    explore: 0.05,
    beliefs: true,
    calls: true,
    cases: true,
    lessons: true,
    documents: true,
    files: true,
    passages: 3,
    softPrompt: true,
    quarantine: true,
    drift: true,
    verify: true,
    meaning: true,
    words: true,
    says: true,
    history: true,
    age: true,
    trust: true,
    outcome: true,
    redundancy: true,
  },
}

const groupOf = (id: string) => {
  const group = runSettings().find((one) => one.id === id)
  if (!group) throw new Error(`There are no settings ${id}.`)
  return group
}

describe('settings of a run', () => {
  it.each(Object.entries(BEFORE))('%s keeps its keys and defaults', (id, before) => {
    expect(defaultsOf(groupOf(id))).toEqual(before)
  })

  it.each(runSettings().map((group) => ({ id: group.id, group })))(
    '$id has words for each, and the ends of each range are allowed',
    ({ id, group }) => {
      const { fields } = settingGroupSchema.parse(groupInfo(group))
      expect(fields.map(({ key }) => key)).toEqual(Object.keys(defaultsOf(group)))
      for (const field of fields) {
        expect(field.title).not.toBe('')
        expect(field.help).toMatch(/[.”]$/)
        const values =
          field.kind === 'number'
            ? [field.above ? (field.min + field.max) / 2 : field.min, field.max, field.default]
            : field.kind === 'choice'
              ? field.choices.map(({ value }) => value)
              : [field.default]
        for (const value of values)
          expect(() => checkRunSettings({ [id]: { [field.key]: value } })).not.toThrow()
        if (field.kind !== 'number') continue
        const beyond = [...(field.above ? [field.min] : [field.min - 1]), field.max + 1]
        for (const value of beyond) expect(() => checkRunSettings({ [id]: { [field.key]: value } })).toThrow()
        if (field.whole) expect(field.unit, `${id}.${field.key} has a unit`).not.toBeNull()
      }
    },
  )

  it('are read from a run of another version, with what it does not know', () => {
    const { settings } = runConfigSchema.parse({
      stream: 's',
      method: 'evosc',
      model: '/m.gguf',
      k: 4,
      memoryId: 'x',
      settings: { evosc: { capacity: 9, gone: true }, later: { x: 1 } },
    })
    expect(readSettings(groupOf('evosc'), settings)).toMatchObject({ capacity: 9, shown: 8 })
    expect(() => checkRunSettings(settings)).toThrow('no setting evosc.gone')
  })

  it('are set on the command line by group and key', () => {
    expect(parseRunSetting('evosc.ptc=on')).toEqual({ evosc: { ptc: true } })
    expect(() => parseRunSetting('evosc.capacity=0')).toThrow('evosc.capacity cannot be 0')
  })
})
