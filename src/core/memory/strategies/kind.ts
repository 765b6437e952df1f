import { learnedKind } from '../items/learned-kind'
import { line, text, textOf } from '../items/field'
import { strategySchema, type Strategy } from './strategy'

/** ReasoningBank's items. */
export const strategies = learnedKind<Strategy>({
  info: {
    id: 'strategy',
    title: 'Strategy',
    titleMany: 'Strategies',
    help: 'How to reason about tasks of a kind: what carried a solved attempt, or what a failed one should have watched out for.',
    fields: [
      line('title', 'Title'),
      text('description', 'Description', { optional: true }),
      text('content', 'Content'),
    ],
  },
  schema: strategySchema,
  view: ({ title, description, content, task, success }) => ({
    title,
    text: [title, description, content].filter((part) => part !== '').join('\n'),
    values: { title, description, content },
    facts: [{ label: success ? 'From a solved attempt at' : 'From a failed attempt at', value: task }],
  }),
  edited: (strategy, values) => ({
    ...strategy,
    title: textOf(values, 'title', strategy.title),
    description: textOf(values, 'description', strategy.description),
    content: textOf(values, 'content', strategy.content),
  }),
})
