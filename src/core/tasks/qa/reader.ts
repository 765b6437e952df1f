import { z } from 'zod'
import { describeIssues, type EnvironmentModule } from '../../ground/environment-module'
import { problemWith } from './check'
import type { QuestionForm, ReadQuestion } from './entry'
import { bareForm, plainForm } from './forms/plain'
import { PROGRAM_FORMS } from './forms/programs'
import { PUBLISHED_FORMS } from './forms/published'

/** Every form that questions are read in; a row goes to the first that takes it for its own. */
const QUESTION_FORMS: readonly QuestionForm[] = [...PROGRAM_FORMS, ...PUBLISHED_FORMS, plainForm, bareForm]

const formOf = (row: unknown): QuestionForm | undefined =>
  typeof row === 'object' && row !== null
    ? QUESTION_FORMS.find(({ recognises }) =>
        typeof recognises === 'function' ? recognises(row) : recognises.every((field) => field in row),
      )
    : undefined

/** Questions, as data sets are published and as people write their own. */
export const questionReader: Pick<EnvironmentModule, 'recognises' | 'read' | 'forms'> = {
  forms: QUESTION_FORMS,
  recognises: (row) => formOf(row) !== undefined,
  read(row, { index, check }) {
    if (typeof row !== 'object' || row === null) return { reason: 'it is no object' }
    try {
      const read = (formOf(row) ?? plainForm).read(row)
      if ('reason' in read) return read
      const { id, instruction, skills, entry } = checkedBy(read, check)
      const problem = entry.check && problemWith(entry.check, entry.references)
      if (problem) return { reason: problem }
      return { id: id ?? String(index), instruction, skills: [...skills], payload: entry }
    } catch (error) {
      if (error instanceof z.ZodError) return { reason: describeIssues(error) }
      throw error
    }
  },
}

/** The check that the stream chose goes for every row that brings none of its own. */
function checkedBy(read: ReadQuestion, check: ReadQuestion['entry']['check']): ReadQuestion {
  if (check === undefined || read.entry.check !== undefined) return read
  return { ...read, entry: { ...read.entry, scorer: 'check', check } }
}
