import { LEAST_FOR_RELATIONS } from '../../../shared/domain/model-profile'
import { readingOf, readingRequest } from '../../verdict/message-reader'
import type { Probe, ProbeQuestion } from './probe'
import { RELATION_QUESTIONS } from './relation-questions'

/** Whether a model tells how a person's next message stands to the attempt before it. One that always says the same has a tenth right. */
export const relationProbe: Probe = {
  id: 'relations',
  version: 1,
  activity: 'Asking what next messages mean',
  forms: ['next messages'],
  needs: { messages: LEAST_FOR_RELATIONS },
  blocks: [
    RELATION_QUESTIONS.map(({ relation, message, ...before }): ProbeQuestion => ({
      kind: 'messages',
      request: () => readingRequest(before, message),
      isRight: ({ text }) => readingOf(text) === relation,
    })),
  ],
}
