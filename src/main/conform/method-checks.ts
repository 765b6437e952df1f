import assert from 'node:assert/strict'
import { methodInfo, type Method, type MethodContext } from '../../core/ground/method'
import { defaultsOf, groupInfo } from '../../core/ground/settings'
import { ENVIRONMENTS } from '../../core/tasks'
import { methodInfoSchema } from '../../shared/domain/method'
import type { Trajectory } from '../../shared/domain/trajectory'
import { requireTemplates, type LoadedPrompts } from '../ground/prompts'
import { check, saysSomething, type Check } from './draw'

/** What the suite stands on: a memory that holds two solved attempts, and a model that refuses to be asked. */
export interface MethodRig {
  readonly prompts: LoadedPrompts
  context(): Promise<MethodContext>
  /** How often the model was asked since `context`. */
  asked(): number
  /** An attempt whose prompt did not fit. */
  readonly unacted: Trajectory
}

/** What every method has to do. */
export function methodChecks(method: Method, rig: () => MethodRig): Check[] {
  const { info, settings } = method
  return [
    check('has its words, its colour, and says what it keeps and recalls', () => {
      const { title, source, description, usesK, defaultK, recalls } = methodInfoSchema.parse(
        methodInfo(method),
      )
      saysSomething({ title, source })
      assert.match(description, /^[A-Z].*\.$/)
      for (const { what } of recalls) saysSomething({ what })
      if (!usesK) return
      assert.ok(defaultK > 0, 'it uses K, and its default is 0')
      assert.notDeepEqual(recalls, [], 'it uses K, and recalls nothing')
    }),
    check('documents every setting', () => {
      if (!settings) return
      assert.equal(settings.id, info.id)
      const { fields } = groupInfo(settings)
      assert.deepEqual(
        fields.map(({ key }) => key),
        Object.keys(defaultsOf(settings)),
      )
      for (const field of fields) {
        saysSomething({ title: field.title })
        assert.match(field.help, /[.”]$/, field.key)
        if (field.kind === 'number' && field.whole) assert.notEqual(field.unit, null, field.key)
        if (field.kind === 'choice')
          for (const { title, value } of field.choices) assert.notEqual(title, value, field.key)
      }
    }),
    check('has every prompt it can ask for in every environment', () => {
      for (const { id } of ENVIRONMENTS) requireTemplates(method, id, rig().prompts)
    }),
    check('learns nothing from an attempt that never acted', async () => {
      const { events } = await method.learn(rig().unacted, await rig().context())
      assert.deepEqual(events, [])
      assert.equal(rig().asked(), 0, 'it asks the model about an attempt that never acted')
    }),
    check('is the same however often it is asked', () => {
      const changes = { [info.id]: {} }
      const progress = { rewards: [1, 1, 0, 1] as const, total: 12 }
      assert.deepEqual(method.distil?.(progress, changes) ?? null, method.distil?.(progress, changes) ?? null)
      if (!method.prepare) return
      const split = method.prepare.split(changes, 40)
      assert.equal(split, method.prepare.split(changes, 40))
      assert.ok(split <= 40, 'it prepares with more tasks than there are')
    }),
  ]
}
