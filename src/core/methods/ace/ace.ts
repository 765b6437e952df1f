import { NOTHING_LEARNED, NOTHING_RECALLED, type Method, type RecalledPart } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import type { Bullet } from '../../memory/bullets/bullet'
import { adaptOffline, isAdapting, offlineTasks } from './offline'
import { CURATE, learnBullets, REFLECT } from './learn'
import { withinBudget } from './merge'
import { bulletLine } from './messages'
import { PAPER } from './paper'
import { SETTINGS } from './settings'

const part = (bullet: Bullet, number: number): RecalledPart => ({
  text: bulletLine(bullet, number),
  item: {
    kind: 'bullet',
    id: bullet.id,
    trajectoryId: bullet.trajectoryIds[0] ?? null,
    title: bullet.content,
    score: bullet.helpful - bullet.harmful,
    scoreKind: 'helpful',
    reward: null,
    ...(bullet.pinned && { pinned: true as const }),
  },
})

/**
 * ACE, Agentic Context Engineering (Zhang et al. 2025, arXiv 2510.04618): a playbook of bullets grows by small deltas instead of being
 * rewritten. The generator acts with the whole playbook in front of it; the reflector finds out what the attempt teaches and which bullets
 * helped or misled; the curator writes only what is missing; plain code merges it (counts go up, what says the same becomes one by
 * its embedding, the least useful leave a full playbook).
 *
 * Online it learns from every task. Offline (`offline` > 0) it goes through the first tasks for some epochs, and the rest is attempted with
 * the playbook as it then is.
 *
 * Simplified: the environment's verdict is all the reflector is told (the paper also shows ground truth where there is some); all bullets
 * that were shown may be tagged, where the paper's generator names those it used; three fixed sections; equal bullets are merged without a
 * model; the reflector's rounds refine its own text and do not attempt the task again in between.
 */
export const ace: Method = {
  info: {
    id: 'ace',
    title: 'Playbook (ACE)',
    description:
      'Keeps a playbook of short bullets with counts of help and harm, and adds to it what attempts teach.',
    source: 'ACE, Agentic Context Engineering (2025)',
    usesK: false,
    defaultK: 0,
    colour: 3,
    keeps: ['bullet'],
    assumesMeaning: 'Which bullets say the same',
    recalls: [{ kind: 'bullet', what: 'the whole playbook of the environment', place: 'task' }],
  },
  settings: SETTINGS,
  paper: PAPER,
  prompts: () => [REFLECT, CURATE],
  prepare: {
    split: (settings, count) => offlineTasks(settings, count),
    run: (input, context) => adaptOffline(input, context, ace),
  },
  async recall({ task, signal }, { bank, model, settings }) {
    const { budget } = readSettings(SETTINGS, settings)
    const holdings = await bank.items('bullet', { environment: task.environment })
    if (holdings.length === 0) return NOTHING_RECALLED
    const playbook = (await withinBudget(holdings, budget, model, signal)).map((bullet, i) => ({
      section: bullet.section,
      shown: part(bullet, i + 1),
    }))
    const of = (isMistake: boolean): RecalledPart[] =>
      playbook.filter(({ section }) => (section === 'mistakes') === isMistake).map(({ shown }) => shown)
    return { errorLessons: of(true), successLessons: of(false), retrieved: [] }
  },
  learn: (trajectory, context, signal) =>
    isAdapting(trajectory.task.index, context.settings)
      ? learnBullets(trajectory, context, signal)
      : Promise.resolve(NOTHING_LEARNED),
}
