import { createRng } from '../../../ground/random'
import type { NamedStream, NamedStreams } from '../../../ground/environment-module'
import type { Feedback } from '../../../../shared/domain/task'
import { toEntry } from '../stream'
import { foreignRows } from './foreign-rows'
import { LIFELONG_KINDS } from './kinds'
import { isLifelongName, lifelongName, readLifelongName, type LifelongName } from './name'
import { planTasks } from './plan'

/** Of this many rewards one is told as its opposite; of these many one is told. */
const NOISE = 10
const SPARSE = 5

/** What is told of each of `count` rewards: undefined where it is told as it is. */
function feedbackOf({ kind, world, order }: LifelongName, count: number): (Feedback | undefined)[] {
  const rng = createRng(`lifelong/noise/${world}/${order}`)
  const flipped = Array.from({ length: Math.ceil(count / NOISE) }, (_, ten) => ten * NOISE + rng.int(NOISE))
  return Array.from({ length: count }, (_, i) => {
    if (kind.feedback === 'noisy' && flipped.includes(i)) return 'flipped'
    return kind.feedback === 'sparse' && i % SPARSE !== SPARSE - 1 ? 'withheld' : undefined
  })
}

const jsonl = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

function open(namedName: string): NamedStream {
  const name = readLifelongName(namedName)
  const { kind, world, order } = name
  const tasks = planTasks(name)
  const notices = feedbackOf(name, tasks.length)
  const id = lifelongName(kind.id, world, order)
  const header = {
    id,
    title: `Lifelong: ${kind.title}, world ${world}, order ${order}`,
    description: `${tasks.length} tasks. ${kind.about}`,
    environment: 'lab-db',
    demo: true,
  }
  const rows = tasks.map(({ task, known, id: taskId }, i) => {
    const feedback = notices[i]
    return { ...toEntry(task, i, taskId), ...(feedback && { feedback }), known }
  })
  const givenInput = foreignRows(name)
  return {
    id,
    text: jsonl([{ stream: header }, ...rows]),
    given: givenInput && { by: givenInput.by, replies: givenInput.replies, text: jsonl(givenInput.rows) },
  }
}

/** The streams of the lifelong suite. */
export const lifelong: NamedStreams = {
  kinds: LIFELONG_KINDS.map(({ id, title, about, drift, clean = null, companion = false }) => ({
    ...{ id, title, about, companion, clean },
    changes: drift !== undefined,
  })),
  partsOf(name) {
    const { kind, ...numbers } = readLifelongName(name)
    return { kind: kind.id, ...numbers }
  },
  nameOf: lifelongName,
  isName: isLifelongName,
  open,
}
