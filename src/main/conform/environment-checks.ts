import assert from 'node:assert/strict'
import { openEpisode, type Environment, type StepOutcome } from '../../core/ground/environment'
import type { EnvironmentModule } from '../../core/ground/environment-module'
import { isQuestions } from '../../core/ground/question-environment'
import { createRng } from '../../core/ground/random'
import { settingFields } from '../../core/ground/settings'
import { METHODS } from '../../core/methods'
import { ENVIRONMENTS } from '../../core/tasks'
import type { Task } from '../../shared/domain/task'
import { requireTemplates, type LoadedPrompts } from '../ground/prompts'
import type { Environments } from '../streams/environments'
import type { StreamLibrary } from '../streams/stream-library'
import { draw, check, saysSomething, type Check } from './draw'

/** What the suite stands on. */
export interface EnvironmentRig {
  readonly streams: Pick<StreamLibrary, 'load'>
  readonly environments: Environments
  readonly prompts: LoadedPrompts
}

/** Replies that no grammar asks for: nothing, noise, halves of every form, things that are too long or too deep. */
const BAD_REPLIES = [
  '',
  ' \n\t',
  'I would rather not.',
  '\u0000\uFFFF\uD800',
  'Action:',
  'Action: Answer',
  'Action: Operation\n```sql\n',
  'Action: Operation\n```sql\nDROP DATABASE loam; SELECT\n```',
  'Action: Code\n```js\nfor (;;) {',
  'Action: Code\n```js\nthrow null\n```',
  'Action: Tool\n```json\n{"name": 1}\n```',
  'Action: Tool\n```json\n{"name": "__proto__", "arguments": null}\n```',
  'Action: Message\n',
  '{"tool": "x"',
  `${'['.repeat(20_000)}`,
  'Action: Operation '.repeat(5000),
  `Action: Answer\nFinal Answer: ${'('.repeat(10_000)}`,
]

/** Arguments are drawn this often for each action. */
const DRAWS = 3

/** What every environment has to do. */
// oxlint-disable-next-line max-lines-per-function -- a suite is a list of rules, not a function that is read as one
export function environmentChecks(module: EnvironmentModule, rig: () => EnvironmentRig): Check[] {
  const firstTask = async (): Promise<Task> => {
    const [task] = (await rig().streams.load(module.sample)).tasks
    assert.ok(task, 'the sample stream is empty')
    return task
  }
  /** Runs where the environment is acted in. */
  const acting = (name: string, run: (environment: Environment, task: Task) => Promise<void>): Check =>
    check(name, async () => {
      const environment = await rig().environments.get(module.id)
      if (!isQuestions(environment)) await run(environment, await firstTask())
    })
  return [
    check('says in words what it is, what solves a task and where tasks come from', () => {
      const { title, tasks, about, solved, source, domain } = module.words
      saysSomething({ title, tasks, about, solved, source, domain })
      assert.match(about, /\.$/)
      assert.match(solved, /\.$/)
      assert.match(module.id, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
      assert.ok(module.colour >= 1 && module.colour <= 8, 'its colour is not from 1 to 8')
    }),
    check('documents every setting, and keeps within changed ones', async () => {
      assert.equal(module.settings.id, module.id)
      const fields = settingFields(module.settings)
      for (const { key, title, help } of fields) saysSomething({ key, title, help })
      if (fields.find(({ key }) => key === 'rounds')?.kind !== 'number') return
      const change = await rig().environments.get(module.id, { [module.id]: { rounds: 1 } })
      assert.equal(isQuestions(change) ? 1 : change.maxRounds, 1)
    }),
    check('tells the agent as many rounds as are set', async () => {
      for (const replies of ['any', 'tools'])
        for (const rounds of [1, 7]) {
          const change = await rig().environments.get(module.id, { [module.id]: { rounds, replies } })
          if (isQuestions(change)) return
          const counts = change.systemPrompt.matchAll(
            /\b(\d+) (?:rounds?|repl(?:y|ies))\b|\brounds reaches (\d+)/g,
          )
          for (const [, count, most] of counts) assert.equal(Number(count ?? most), change.maxRounds)
          assert.doesNotMatch(change.systemPrompt, /\{rounds/)
        }
    }),
    check('has every prompt of its own, and those that each method asks for', () => {
      for (const name of module.prompts) assert.notEqual(rig().prompts.text(name), '')
      for (const method of METHODS) requireTemplates(method, module.id, rig().prompts)
    }),
    check('reads its sample stream whole, as its own', async () => {
      const { info, tasks } = await rig().streams.load(module.sample)
      assert.equal(info.environment, module.id)
      assert.equal(info.source, 'bundled')
      assert.deepEqual(info.reading.left, [])
      assert.ok(tasks.length > 0)
      for (const task of tasks) assert.equal(task.environment, module.id)
    }),
    check('takes for its own nothing of the others', async () => {
      for (const other of ENVIRONMENTS) {
        if (other.id === module.id) continue
        const [task] = (await rig().streams.load(other.sample)).tasks
        const payload = (task?.payload ?? {}) as object
        if (module.recognises(payload))
          assert.equal(other.recognises(payload), true, `it takes tasks of ${other.id}`)
      }
      assert.equal(module.recognises({}), false)
      assert.equal(module.recognises([]), false)
    }),
    check('answers an entry that is none with a reason', () => {
      for (const entry of [null, undefined, 3, 'text', [], {}, { id: {} }, { question: 7 }])
        assert.ok('reason' in module.read(entry, { index: 0, source: 'x' }), JSON.stringify(entry))
    }),
    check('agrees with the solutions of its sample stream', async () => {
      const verify = await module.verifier(rig().environments.world)
      const { tasks } = await rig().streams.load(module.sample)
      const verdicts = await Promise.all(tasks.map(async (task) => [task.id, await verify(task)] as const))
      assert.deepEqual(
        verdicts.filter(([, { kind }]) => kind === 'disagrees'),
        [],
      )
      const reasons = verdicts.map(([, verdict]) => (verdict.kind === 'agrees' ? null : verdict.why))
      assert.ok(reasons.includes(null), `no task has a solution: ${reasons[0]}`)
    }),
    check(
      'has actions as tools whose text form it reads, with arguments drawn from their schemas',
      async () => {
        const task = await firstTask()
        const actions = module.actions(task)
        assert.ok(actions.length > 0)
        const environment = await rig().environments.get(module.id)
        for (const { name, description, inputSchema } of actions) {
          saysSomething({ name, description, text: module.writeAction(name, {}) })
          assert.equal(inputSchema['type'], 'object')
          if (isQuestions(environment)) continue
          const rng = createRng(name)
          for (let n = 0; n < DRAWS; n++) {
            const args = draw(inputSchema, rng) as Readonly<Record<string, unknown>>
            const episode = await openEpisode(environment, task)
            const { action } = await episode.step(module.writeAction(name, args))
            episode.close()
            assert.notEqual(action.kind, 'invalid', `${name} ${JSON.stringify(args)} is no action`)
          }
        }
      },
    ),
    acting('answers every bad reply with an observation or an unsolved end', async (environment, task) => {
      for (const reply of BAD_REPLIES) {
        const episode = await openEpisode(environment, task)
        let outcome: StepOutcome | null = null
        for (let round = 0; round < environment.maxRounds && outcome?.done !== true; round++)
          outcome = await episode.step(reply)
        assert.equal(outcome?.done, true, `it goes on after "${reply.slice(0, 40)}"`)
        if (outcome.done) assert.equal(outcome.reward, 0, `"${reply.slice(0, 40)}" solves the task`)
        episode.close()
      }
    }),
    acting('can be closed at any time, and twice', async (environment, task) => {
      const untouched = await openEpisode(environment, task)
      untouched.close()
      untouched.close()
      const episode = await openEpisode(environment, task)
      await episode.step('Action: Operation\n```sql\nSELECT 1\n```')
      episode.close()
      episode.close()
    }),
    acting('refuses a task of another environment', (environment, task) => {
      assert.throws(() => environment.open({ ...task, payload: {} }))
      return Promise.resolve()
    }),
    acting('keeps two attempts at one task apart', async (environment, task) => {
      const one = await openEpisode(environment, task)
      const other = await openEpisode(environment, task)
      assert.equal(one.context, other.context)
      one.close()
      await other.step('')
      other.close()
    }),
  ]
}
