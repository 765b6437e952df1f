import { choice, onOff } from '../../ground/settings'

/** What is recalled of several attempts at one task, and whether those at the task itself are. */
export interface SameTask {
  readonly perTask: 'all' | 'newest' | 'best-and-worst'
  readonly ownTask: boolean
}

/** Settings of every case bank, for streams that are gone through more than once (Memento, table 4). */
export const sameTaskSettings = {
  perTask: choice(
    {
      all: 'all of them',
      newest: 'the newest',
      'best-and-worst': 'the newest solved and the newest failed one',
    },
    'all',
    {
      title: 'Of several attempts at a task',
      help: 'Which of them may be recalled; a task is told by its words.',
      source: 'Memento, table 4: one case per task',
    },
  ),
  ownTask: onOff(true, {
    title: 'Attempts at the task itself',
    help: 'Recall what was done at the very same task before. Off shows what is carried over to others.',
  }),
}

/** A case as it is told apart here. */
export interface AttemptAtTask {
  /** The task in words. */
  readonly state: string
  readonly reward: 0 | 1
  /** Later attempts compare greater. */
  readonly at: string | number
}

/** Those that may be recalled for `task`, in their order. */
export function ofTasks<Case>(
  cases: readonly Case[],
  read: (each: Case) => AttemptAtTask,
  task: string,
  { perTask, ownTask }: SameTask,
): readonly Case[] {
  if (perTask === 'all' && ownTask) return cases
  const allowed = ownTask ? cases : cases.filter((each) => read(each).state !== task)
  if (perTask === 'all') return allowed
  const newest = new Map<string, { readonly at: string | number; readonly of: Case }>()
  for (const of of allowed) {
    const { state, reward, at } = read(of)
    const key = perTask === 'newest' ? state : `${reward} ${state}`
    const record = newest.get(key)
    if (!record || at > record.at) newest.set(key, { at, of })
  }
  const selection = new Set([...newest.values()].map(({ of }) => of))
  return allowed.filter((each) => selection.has(each))
}
