import type { LearnedKind } from '../../../../src/core/memory'
import { currentGuides } from '../../../../src/core/memory/guides/fold'
import { standingOf } from '../../../../src/core/memory/experiences/fold'
import { rankByCosine } from '../../../../src/core/retrieval/rank'
import type { StoredMemory } from '../../../../src/main/memory-store/memory'
import { openSoftPromptStore } from '../../../../src/main/soft-prompts/soft-prompt-store'
import { trainingSettingsSchema, type SoftPrompt } from '../../../../src/shared/domain/soft-prompt'
import { caseOf, timeOf } from '../../../main/memory-store/fixtures'
import { experienceOf } from '../experiences/fixtures'

const ENVIRONMENT = 'lab-db'

/** What the suite needs to know of a kind beside its module. */
export interface Sample {
  /** Item number n (from 0) as a line of an export; its text holds `subject n`. */
  line(n: number): Readonly<Record<string, unknown>>
  /** The id of item n. */
  id(n: number): string
  /** Under which id an attempt names item n. Default: `id`. */
  shownAs?(n: number): string
  /** New values for every field of the kind. */
  values: Readonly<Record<string, string | string[] | number>>
  /** Ids of what agents get for a task about `subject n`, best first, as methods ask for it. */
  asAgentsSee(memory: StoredMemory, n: number): Promise<string[]>
}

const learned = (kind: string, n: number) => ({
  kind,
  id: `${kind}-${n}`,
  runId: 'r1',
  environment: ENVIRONMENT,
  trajectoryIds: [`t-${n}`],
  createdAt: timeOf(n),
})

/** A sample of a kind that methods read with `bank.memories`. */
const learnedSample = (
  kind: LearnedKind,
  fields: (n: number) => Readonly<Record<string, unknown>>,
  values: Sample['values'],
): Sample => ({
  line: (n) => ({ kind, item: { ...learned(kind, n), ...fields(n) } }),
  id: (n) => `${kind}-${n}`,
  values,
  async asAgentsSee(memory, n) {
    const items = await memory.items(kind, { environment: ENVIRONMENT })
    const ranked = await rankByCosine(memory.embedder, `subject ${n}`, items, (item) => JSON.stringify(item))
    return ranked.map(({ item }) => item.id)
  },
})

const adapterOf = (n: number): Buffer => Buffer.from(`adapter ${n}`)
const ADAPTERS = [
  '6f92d023369a29700a1d438128dbe1d527e06180ac8588b5cd3c4ad3f1d439b3',
  '80eb3e49f594e9d2d39b831ef6066d13b2d9e382b5fda2d9768bdb0c4d62814d',
  '448e00acef9586f1876a7c4c568c15e2e7fd702a90a428c1dee146e70eb7c3f4',
  'ca9ae49c5f7a9373d7c99886a4bf1256ecfa6eaabe13387adbef377de26222da',
]

const softPrompt = (n: number): SoftPrompt => ({
  format: 1,
  kind: 'loam-soft-prompt',
  createdAt: timeOf(n),
  environment: ENVIRONMENT,
  space: 's1',
  adapter: `subject-${n}.gguf`,
  adapterSha256: ADAPTERS[n] ?? '',
  baseModel: {
    name: 'm',
    architecture: 'llama',
    sha256: 'a'.repeat(64),
    sizeBytes: 1,
    width: 2,
    vocabulary: 3,
  },
  reservedIds: [1, 2],
  reservedTokens: null,
  teacher: 1,
  student: 0,
  objective: 'tokens',
  settings: trainingSettingsSchema.parse({}),
  trajectories: [`t-${n}`],
  heldOut: [],
  outcome: {
    initialLoss: 1,
    finalLoss: 0.5,
    initialHeldOutLoss: null,
    heldOutLoss: null,
    steps: 1,
    bestStep: 1,
    ended: 'all-steps',
    wallMs: 1,
    curve: [],
  },
  label: `Soft prompt about subject ${n}`,
})

/** By kind; the suite fails for a kind of the list that has none. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  case: {
    line: (n) => ({ kind: 'case', case: caseOf(`case-${n}`, `subject ${n}`, { createdAt: timeOf(n) }) }),
    id: (n) => `case-${n}`,
    values: { state: 'edited subject', plan: 'edited plan', reward: 0 },
    async asAgentsSee(memory, n) {
      const [vector = new Float32Array()] = await memory.embedder.embed([`subject ${n}`])
      return (await memory.nearest(vector, 10)).map((hit) => hit.case.id)
    },
  },
  lesson: learnedSample('lesson', (n) => ({ queue: 'error', text: `Mind subject ${n}.` }), {
    text: 'Edited advice.',
  }),
  workflow: learnedSample('workflow', (n) => ({ goal: `subject ${n}`, steps: ['Look.', 'Do.'] }), {
    goal: 'Edited goal',
    steps: ['One.', 'Two.'],
  }),
  strategy: learnedSample(
    'strategy',
    (n) => ({
      task: `subject ${n}`,
      title: `Look at subject ${n}`,
      description: '',
      content: 'Look first.',
      success: true,
    }),
    { title: 'Edited title', description: 'Edited.', content: 'Edited content.' },
  ),
  fact: learnedSample(
    'fact',
    (n) => ({
      ...{ statement: `About subject ${n}.`, about: 'me', question: null, answer: null },
      ...{ source: 'remember', replaces: [] },
    }),
    { statement: 'Edited.', about: 'Ana', until: '' },
  ),
  belief: learnedSample(
    'belief',
    (n) => ({
      ...{
        log: null,
        about: 'refusal',
        text: `no such subject ${n}`,
        tool: 'shell',
        place: '',
        from: 'exit',
      },
      ...{ cause: [], without: [], with: [], tasks: 2, attempts: 3, since: 9, confirmed: 0, contradicted: 0 },
      quotes: [{ round: 0, of: 'observation', text: `no such subject ${n}` }],
      ...{ believed: 0.5, reminder: false, rests: false, lastAt: timeOf(n), holds: 1, note: '' },
    }),
    { holds: 1, note: 'Edited note.' },
  ),
  cheatsheet: learnedSample('cheatsheet', (n) => ({ content: `subject ${n}`, version: 1 }), {
    content: 'Edited.',
  }),
  note: learnedSample(
    'note',
    (n) => ({ title: `subject ${n}`, keywords: ['k'], tags: ['t'], context: 'about', links: [] }),
    { context: 'edited', keywords: ['a', 'b'], tags: [] },
  ),
  summary: learnedSample('summary', (n) => ({ title: `subject ${n}`, text: `short subject ${n}` }), {
    text: 'Edited.',
  }),
  bullet: learnedSample(
    'bullet',
    (n) => ({ section: 'facts', content: `About subject ${n}.`, helpful: n, harmful: 0 }),
    { content: 'Edited bullet.' },
  ),
  passage: learnedSample(
    'passage',
    (n) => ({
      ...{ trajectoryIds: [], folderId: 'f1', path: `notes/${'abcd'[n]}.md`, from: 1, to: 2, headings: [] },
      ...{ text: `About subject ${n}.`, note: '' },
    }),
    { note: 'Edited note.' },
  ),
  experience: {
    line: (n) => {
      const experience = experienceOf(`exp-${n}`, `subject ${n}`, { createdAt: timeOf(n) })
      const standing = standingOf({
        ...{ id: '', createdAt: '', framework: '', domain: '', tools: [], origin: '', outcome: '' },
        ...{ derivedFrom: null, trajectoryId: null, contentHash: '', gone: null, utility: 0.5 },
        ...{ lastUsedAt: null, usesBefore: 0, usedBy: new Set(), transfers: new Set() },
        ...{ compared: false, rules: new Map<string, number>() },
      })
      return { kind: 'experience', experience, standing }
    },
    id: (n) => `exp-${n}`,
    values: {
      question: 'edited question',
      agentPlan: 'p',
      agentExperience: 'e',
      searchAgentPlan: 'sp',
      searchAgentExperience: 'se',
      reward: 0,
      domain: 'web',
    },
    async asAgentsSee(memory, n) {
      const hits = await memory.experiences.search({ text: `subject ${n}`, mode: 'hybrid', k: 10 })
      return hits.map(({ experience }) => experience.id)
    },
  },
  document: {
    line: (n) => ({
      kind: 'document',
      document: {
        id: `version-${n}`,
        conceptId: `document-${n}`,
        concept: `subject ${n}`,
        environment: ENVIRONMENT,
        buildId: null,
        parent: null,
        text: { context: 'c', howToUse: `About subject ${n}.`, whenToUse: '', bestPractices: '' },
        sentences: [],
        lost: [],
        restored: [],
        constraints: { keep: [], drop: [] },
        createdAt: timeOf(n),
      },
    }),
    id: (n) => `document-${n}`,
    shownAs: (n) => `version-${n}`,
    values: { context: 'a', howToUse: 'b', whenToUse: 'c', bestPractices: 'd' },
    async asAgentsSee(memory, n) {
      const items = currentGuides(memory.concepts, ENVIRONMENT)
      const ranked = await rankByCosine(memory.embedder, `subject ${n}`, items, ({ concept }) => concept)
      return ranked.map(({ item }) => item.conceptId)
    },
  },
  'soft-prompt': {
    line: (n) => ({ kind: 'soft-prompt', info: softPrompt(n), adapter: adapterOf(n).toString('base64') }),
    id: (n) => ADAPTERS[n] ?? '',
    values: { label: 'Edited name' },
    /** Served is the one in use, which is item n here; what is pinned or muted changes that. */
    async asAgentsSee(memory, n) {
      const list = openSoftPromptStore(memory.path)
      const { items } = await list.view()
      const wanted = items.find(({ info }) => info.adapterSha256 === ADAPTERS[n])
      const { history } = await list.view()
      if (wanted && history.length === 0) await list.use(ENVIRONMENT, wanted.info.adapter, timeOf(0))
      const served = await list.current(ENVIRONMENT)
      return served ? [served.info.adapterSha256] : []
    },
  },
}
