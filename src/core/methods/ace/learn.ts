import { addUsage, NO_USAGE, type Trajectory, type Usage } from '../../../shared/domain/trajectory'
import type { Bullet, BulletChange } from '../../memory/bullets/bullet'
import { learnedFrom } from '../../memory/items/learned-from'
import { hasActed, NOTHING_LEARNED, type Learned, type MethodContext } from '../../ground/method'
import type { MemoryEvent } from '../../ground/ports'
import { retellingOf } from '../../ground/prompt'
import { readSettings } from '../../ground/settings'
import { addsNothing } from '../../ground/text-gate'
import { failedWriting, write, type Written } from '../../ground/writing'
import { absorbed, fuller, sayTheSame, withinBudget } from './merge'
import {
  CURATION_FORM,
  curateMessages,
  MOST_NUMBERED,
  reflectionForm,
  reflectMessages,
  type BulletText,
  type Reflection,
} from './messages'
import { SETTINGS } from './settings'

/** The templates of reflector and curator. */
export const REFLECT = 'ace-reflect'
export const CURATE = 'ace-curate'

/** The reflector on an attempt; a failed one is gone over as often as the settings say, each time with what was found before. */
async function reflect(
  trajectory: Trajectory,
  views: readonly Bullet[],
  context: MethodContext,
  signal?: AbortSignal,
): Promise<Written<Reflection>> {
  const { rounds } = readSettings(SETTINGS, context.settings)
  let usage = NO_USAGE
  let reflection: Reflection | null = null
  for (let round = 0; round < (trajectory.reward === 1 ? 1 : rounds); round++) {
    const messages = reflectMessages(
      context.prompts.text(REFLECT),
      views,
      retellingOf(trajectory),
      reflection,
    )
    const role = round === 0 ? REFLECT : `${REFLECT}-${round + 1}`
    const order = { role, messages, form: reflectionForm(views.length), maxTokens: 320, quotes: true }
    const output = await write({ ...order, taskIndex: trajectory.task.index }, context, signal)
    usage = addUsage(usage, output.usage)
    if (output.value === null) {
      if (reflection === null) return { ...output, usage }
      break
    }
    reflection = output.value
  }
  return reflection ? { value: reflection, usage } : { value: null, reason: 'empty', tries: 1, usage }
}

/** A playbook with what changed about it, before it is journaled. */
class Playbook {
  readonly #changes = new Map<string, BulletChange>()
  readonly #added: Bullet[] = []
  readonly #dropped = new Set<string>()

  constructor(
    readonly held: readonly Bullet[],
    readonly trajectory: Trajectory,
  ) {}

  /** As it reads now. */
  get bullets(): readonly Bullet[] {
    return [...this.held, ...this.#added]
      .filter(({ id }) => !this.#dropped.has(id))
      .map((bullet) => {
        const change = this.#changes.get(bullet.id)
        return change
          ? {
              ...bullet,
              content: change.content ?? bullet.content,
              helpful: bullet.helpful + (change.helpful ?? 0),
              harmful: bullet.harmful + (change.harmful ?? 0),
            }
          : bullet
      })
  }

  change(id: string, more: BulletChange): void {
    const { helpful = 0, harmful = 0, content, trajectoryIds = [] } = this.#changes.get(id) ?? {}
    const text = more.content ?? content
    this.#changes.set(id, {
      helpful: helpful + (more.helpful ?? 0),
      harmful: harmful + (more.harmful ?? 0),
      ...(text !== undefined && { content: text }),
      trajectoryIds: [...new Set([...trajectoryIds, ...(more.trajectoryIds ?? [])])],
    })
  }

  add({ section, content }: BulletText): void {
    const from = learnedFrom('bullet', this.trajectory)
    const id = `${from.id}-${this.#added.length + 1}`
    this.#added.push({ ...from, id, section, content, helpful: 0, harmful: 0 })
  }

  drop(id: string): void {
    this.#dropped.add(id)
  }

  /** What became of it, as events. */
  events(): MemoryEvent[] {
    const { id: by, finishedAt: at } = this.trajectory
    const isKept = ({ id }: Bullet): boolean => !this.#dropped.has(id)
    const now = new Map(this.bullets.map((bullet) => [bullet.id, bullet]))
    return [
      ...this.#added.filter(isKept).map((bullet): MemoryEvent => ({
        kind: 'memory-added',
        memory: now.get(bullet.id) ?? bullet,
      })),
      ...this.held.filter(isKept).flatMap(({ id }): MemoryEvent[] => {
        const change = this.#changes.get(id)
        return change ? [{ kind: 'memory-changed', memoryId: id, by, change: { ...change }, at }] : []
      }),
      ...this.held
        .filter((bullet) => !isKept(bullet))
        .map(({ id }): MemoryEvent => ({ kind: 'memory-dropped', memoryId: id, at })),
    ]
  }
}

/** Grow: what the curator wrote joins the playbook; what is there already is not written twice but counted for the one that is there. */
async function grow(
  playbook: Playbook,
  texts: readonly BulletText[],
  context: MethodContext,
  signal?: AbortSignal,
): Promise<void> {
  const { refine, sameAbove } = readSettings(SETTINGS, context.settings)
  for (const each of texts) {
    const { bullets } = playbook
    const [same = null] =
      refine === 'proactive'
        ? await sayTheSame(context.embedder, [each.content], bullets, sameAbove, signal)
        : [bullets.find(({ content }) => content === each.content) ?? null]
    if (same)
      playbook.change(same.id, {
        content: fuller(same.content, each.content),
        trajectoryIds: [playbook.trajectory.id],
      })
    else if (
      !addsNothing(
        each.content,
        bullets.map(({ content }) => content),
      )
    )
      playbook.add(each)
  }
}

/** Refine: a playbook that outgrew its size is freed of what says the same, then of what helped least. */
async function refine(playbook: Playbook, context: MethodContext, signal?: AbortSignal): Promise<void> {
  const { budget, sameAbove } = readSettings(SETTINGS, context.settings)
  const fitting = () => withinBudget(playbook.bullets, budget, context.model, signal)
  if ((await fitting()).length === playbook.bullets.length) return
  const { bullets } = playbook
  for (const [i, bullet] of bullets.entries()) {
    if (bullet.pinned === true) continue
    const earlier = bullets.slice(0, i).filter(({ id }) => playbook.bullets.some((one) => one.id === id))
    const [same = null] = await sayTheSame(context.embedder, [bullet.content], earlier, sameAbove, signal)
    if (!same) continue
    playbook.change(same.id, absorbed(same, bullet))
    playbook.drop(bullet.id)
  }
  const keptSet = new Set((await fitting()).map(({ id }) => id))
  for (const { id } of playbook.bullets) if (!keptSet.has(id)) playbook.drop(id)
}

/** Reflector, curator, and the deterministic merge of what they found (ACE, section 3). */
export async function learnBullets(
  trajectory: Trajectory,
  context: MethodContext,
  signal?: AbortSignal,
): Promise<Learned> {
  if (!hasActed(trajectory)) return NOTHING_LEARNED
  const holdings = await context.bank.items('bullet', { environment: trajectory.task.environment })
  const recalledSet = new Set(trajectory.recalled.flatMap(({ kind, id }) => (kind === 'bullet' ? [id] : [])))
  const views = holdings.filter(({ id }) => recalledSet.has(id)).slice(-MOST_NUMBERED)
  const reflection = await reflect(trajectory, views, context, signal)
  let usage: Usage = reflection.usage
  if (reflection.value === null)
    return { events: [failedWriting(trajectory, REFLECT, [trajectory.id], reflection)], usage }
  const playbook = new Playbook(holdings, trajectory)
  for (const { bullet, tag } of reflection.value.tags) {
    const judgement = views[bullet - 1]
    if (judgement && tag !== 'neutral') playbook.change(judgement.id, { [tag]: 1 })
  }
  const failures: MemoryEvent[] = []
  if (reflection.value.insight !== '') {
    const messages = curateMessages(
      context.prompts.text(CURATE),
      playbook.bullets,
      { instruction: trajectory.task.instruction, reward: trajectory.reward },
      reflection.value,
    )
    const order = { role: CURATE, messages, form: CURATION_FORM, maxTokens: 320, quotes: true }
    const curated = await write({ ...order, taskIndex: trajectory.task.index }, context, signal)
    usage = addUsage(usage, curated.usage)
    if (curated.value === null) failures.push(failedWriting(trajectory, CURATE, [trajectory.id], curated))
    else await grow(playbook, curated.value, context, signal)
  }
  await refine(playbook, context, signal)
  return { events: [...playbook.events(), ...failures], usage }
}
