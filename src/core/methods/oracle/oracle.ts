import type { KnownTask, Task } from '../../../shared/domain/task'
import {
  NOTHING_LEARNED,
  NOTHING_RECALLED,
  type Method,
  type PromptParts,
  type RecalledPart,
} from '../../ground/method'
import { retell } from '../../ground/prompt'
import { readSettings } from '../../ground/settings'
import { guideText } from '../../memory/guides/guide'
import { SETTINGS } from './settings'

const rulesText = ({ rules, place }: KnownTask): string =>
  `${place} rules: ${rules.map(({ name, value }) => `${name} ${value}`).join(', ')}.`

const part = (kind: string, task: Task, text: string, title: string): RecalledPart => ({
  text,
  item: {
    kind,
    id: `oracle-${task.id}`,
    trajectoryId: null,
    title,
    ...{ score: null, scoreKind: 'known', reward: 1 },
  },
})

const asDocument = (record: KnownTask): string =>
  guideText(record.place, {
    context: `The rules of ${record.place}.`,
    howToUse: rulesText(record),
    whenToUse: `Tasks of ${record.place}.`,
    bestPractices: 'Note them first and look up what is missing.',
  })

/** The rules a task takes, in one of the forms that memories have. */
function handedOver(task: Task, record: KnownTask, form: 'case' | 'lesson' | 'document'): PromptParts {
  const rules = rulesText(record)
  switch (form) {
    case 'case':
      return {
        ...NOTHING_RECALLED,
        retrieved: [part('case', task, retell({ ...record.example, reward: 1 }), record.example.instruction)],
      }
    case 'lesson':
      return {
        ...NOTHING_RECALLED,
        successLessons: [part('lesson', task, `${rules} Note them first.`, rules)],
      }
    case 'document':
      return { ...NOTHING_RECALLED, documents: [part('document', task, asDocument(record), rules)] }
  }
}

/**
 * The ceiling of every policy of recall: the very rules a task takes are handed to the model, and nothing else. What it still does not solve is
 * the model's reading. Only for measuring, on streams whose maker knows the rules; elsewhere nothing is recalled.
 */
export const oracle: Method = {
  info: {
    id: 'oracle',
    title: 'Perfect recall',
    description:
      'For measuring: hands over the very rules each task takes, in streams whose maker knows them.',
    source: 'The ceiling of every recall, not a method',
    everyday: 'never',
    usesK: false,
    defaultK: 0,
    colour: 1,
    keeps: [],
    recalls: [
      { kind: 'document', what: 'the rules of the task, as a document', place: 'system' },
      { kind: 'lesson', what: 'the rules of the task, as a lesson', place: 'task' },
      { kind: 'case', what: 'another task with the same rules, solved', place: 'task' },
    ],
  },
  settings: SETTINGS,
  recall({ task }, { settings }) {
    const { known } = task
    const { form } = readSettings(SETTINGS, settings)
    return Promise.resolve(known ? handedOver(task, known, form) : NOTHING_RECALLED)
  },
  learn: () => Promise.resolve(NOTHING_LEARNED),
}
