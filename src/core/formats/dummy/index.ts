import type { Format } from '../format'
import { byJsonSigns, sign } from '../../ground/recognition'
import { dummyRowSchema, readCases, writeCases } from '../memento-rows'

/** The form that Memento's retriever starts from: question, plan and reward. */
export const mementoDummy: Format = {
  id: 'dummy',
  title: 'Memento cases with rewards (dummy_memo.jsonl)',
  writtenFor: "Memento's memory/dummy_memo.jsonl as released in 2025",
  keeps: 'One live case per line: question, plan and reward.',
  loses:
    'Everything else: attempts, experiences and documents; of cases their times, environment, pins and earlier texts.',
  recognise: byJsonSigns([sign(0.6, /"question"\s*:/, /"plan"\s*:/, /"reward"\s*:\s*[01]\b/)]),
  fileName: () => 'dummy_memo.jsonl',
  write: (source, { signal }) =>
    writeCases(source, ({ state, plan, reward }) => ({ question: state, plan, reward }), signal),
  read: (text, context) =>
    readCases(
      text,
      dummyRowSchema,
      ({ question, plan, reward }) => ({ state: question, plan, reward }),
      context,
    ),
}
