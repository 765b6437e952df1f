import { expect, test } from 'vitest'
import { defaultsOf } from '../../../src/core/ground/settings'
import { admission, admitExperience } from '../../../src/core/methods/agent-kb/admit'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import { SETTINGS } from '../../../src/core/methods/agent-kb/settings'
import { timeOf } from '../../main/memory-store/fixtures'
import { experienceOf } from '../memory/experiences/fixtures'
import { openLab } from './fixtures'

const TIE = JSON.stringify({ reasoning: 'tie', completeness: 'tie', transferability: 'tie' })

const LIVED = { old: 'r1-t0001', new: 'r1-t0002' }

/** What became of two experiences of nearly the same question, of which a ranker finds neither better: how often it was asked, and who left. */
async function admit(
  existing: string,
  candidate: string,
  outcome: 'success' | 'failure' = 'success',
  lived: Partial<Record<'old' | 'new', string>> = LIVED,
) {
  const { memory, context, model } = openLab(agentKb, () => TIE)
  const about = (id: 'old' | 'new', rules: string, meta = {}) =>
    experienceOf(id, 'Count the fixed repairs.', {
      agentExperience: [`Harbor rules: ${rules}.`],
      trajectoryId: lived[id] ?? null,
      meta,
    })
  await memory.commit([{ kind: 'experience-added', compared: true, experience: about('old', existing) }])
  const options = admission(defaultsOf(SETTINGS), 0, timeOf(1))
  const { events } = await admitExperience(about('new', candidate, { outcome }), options, context)
  const left = events.flatMap((event) => (event.kind === 'experience-superseded' ? [event.experienceId] : []))
  return { asked: model.requests.length, left }
}

test('two that speak of different things are not redundant, however alike their tasks: nobody is asked, and both stay', async () => {
  expect(await admit('ended 43', 'teacher lower')).toEqual({ asked: 0, left: [] })
  expect(await admit('ended 43, shop upper', 'shop upper, teacher lower')).toEqual({ asked: 0, left: [] })
})

test('where neither is better, the one that says more stays, unless it failed', async () => {
  expect(await admit('fixed 88', 'fixed 88, shop upper')).toEqual({ asked: 2, left: ['old'] })
  expect(await admit('fixed 88', 'fixed 88, shop upper', 'failure')).toEqual({ asked: 2, left: ['new'] })
  expect(await admit('fixed 88, shop upper', 'fixed 88')).toEqual({ asked: 2, left: ['new'] })
})

test('two that contradict each other about one thing are for the ranker', async () => {
  expect(await admit('fixed 88', 'fixed 12')).toEqual({ asked: 2, left: ['new'] })
})

test('what came from elsewhere does not take the place of what was lived here until its framework has earned trust', async () => {
  expect(await admit('fixed 12', 'fixed 88', 'success', { new: 'r1-t0002' })).toEqual({ asked: 0, left: [] })
  expect(await admit('fixed 12', 'fixed 88', 'success', { old: 'r1-t0001' })).toEqual({ asked: 0, left: [] })
  // Among themselves they are compared.
  expect(await admit('fixed 12', 'fixed 88', 'success', {})).toEqual({ asked: 2, left: ['new'] })
})
