import { learnedKind } from '../items/learned-kind'
import { text, textOf } from '../items/field'
import { bulletChangeSchema, bulletSchema, type Bullet, type Section } from './bullet'

/** What people read over each section. */
export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  strategies: 'Strategies',
  facts: 'Facts and rules',
  mistakes: 'Mistakes to avoid',
}

/** The bullets of ACE's playbook. */
export const bullets = learnedKind<Bullet>({
  info: {
    id: 'bullet',
    title: 'Bullet',
    titleMany: 'Playbook',
    help: 'One piece of advice of the playbook, with how often it helped and how often it misled.',
    fields: [text('content', 'Content')],
  },
  schema: bulletSchema,
  view: ({ section, content, helpful, harmful }) => ({
    title: content.split('\n', 1)[0] ?? content,
    text: content,
    values: { content },
    facts: [
      { label: 'Section', value: SECTION_TITLES[section] },
      { label: 'Helpful', value: String(helpful) },
      { label: 'Harmful', value: String(harmful) },
    ],
  }),
  edited: (bullet, values) => ({ ...bullet, content: textOf(values, 'content', bullet.content) }),
  changed(bullet, change) {
    const { helpful = 0, harmful = 0, content, trajectoryIds = [] } = bulletChangeSchema.parse(change)
    return {
      ...bullet,
      content: content ?? bullet.content,
      helpful: bullet.helpful + helpful,
      harmful: bullet.harmful + harmful,
      trajectoryIds: [...new Set([...bullet.trajectoryIds, ...trajectoryIds])],
    }
  },
})
