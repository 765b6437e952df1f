import type { LifelongKind } from '../../lifelong/family'

const one = (stages: number): number[][] => Array.from({ length: stages }, () => [0])
const SHORT = { stages: one(3), perStage: 40, probes: 12 } as const
const USUAL = { perStage: 60, probes: 12 } as const
const GIVEN = 50

/** Every kind, in the order in which people should meet them. */
export const LIFELONG_KINDS: readonly LifelongKind[] = [
  { id: 'steady', title: 'Steady', about: 'One world that stays as it is.', ...SHORT },
  {
    id: 'mixed',
    title: 'Mixed',
    about: 'Three worlds interleaved: what is right in one is wrong in the next.',
    ...USUAL,
    stages: [
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ],
  },
  {
    id: 'drift',
    title: 'Drift',
    about: 'A quarter of the rules change twice, unannounced.',
    ...USUAL,
    stages: one(3),
    drift: 0.25,
  },
  {
    id: 'return',
    title: 'Return',
    about: 'One world, then another, then the first again: what was forgotten?',
    ...USUAL,
    stages: [[0], [1], [0]],
  },
  {
    id: 'long',
    title: 'Long',
    about: 'A thousand tasks of one world.',
    stages: one(10),
    perStage: 100,
    probes: 6,
  },
  {
    id: 'noisy',
    title: 'Noisy',
    about: 'One reward of ten is told as its opposite.',
    ...SHORT,
    feedback: 'noisy',
    tasksOf: 'steady',
    clean: 'steady',
  },
  {
    id: 'poisoned',
    title: 'Poisoned',
    about: 'The memory starts with attempts of another agent, a tenth of them wrong.',
    ...SHORT,
    given: { attempts: GIVEN, wrong: 0.1 },
    tasksOf: 'steady',
    clean: 'given',
  },
  {
    id: 'sparse',
    title: 'Sparse',
    about: 'Only every fifth reward is told.',
    ...USUAL,
    stages: one(3),
    feedback: 'sparse',
  },
  {
    id: 'given',
    title: 'Given',
    about: 'As poisoned, with nothing wrong in what it starts with: what the damage is counted from.',
    ...SHORT,
    given: { attempts: GIVEN, wrong: 0 },
    tasksOf: 'steady',
    companion: true,
  },
]
