import { z } from 'zod'
import { readNested } from '../../ground/nested'

/** A list of names; a table's export writes it as text. */
const namesSchema = z.preprocess(readNested, z.array(z.string().min(1)))

/**
 * One task in SWE-bench's form: a repository as it was, what is wrong with it, and the tests that tell. Ours besides: `repository`,
 * `test_command`, `skills`, and what loading fills in.
 */
export const codeEntrySchema = z.object({
  instance_id: z.string().min(1),
  /** `owner/name`. */
  repo: z.string().default(''),
  base_commit: z.string().default(''),
  problem_statement: z.string().min(1),
  /** The solution, as a unified diff. */
  patch: z.string().default(''),
  /** The tests that grade, as a unified diff; the agent never sees them. */
  test_patch: z.string().default(''),
  /** Tests that fail before and pass when the task is solved. */
  FAIL_TO_PASS: namesSchema,
  /** Tests that have to go on passing. */
  PASS_TO_PASS: namesSchema.default([]),
  /** The folder of the repository beside the stream. Default: one called by the task's id or the repository's name. */
  repository: z
    .string()
    .regex(/^(?!\.{1,2}$)[^/\\\0]+$/, 'is not a plain folder name')
    .optional(),
  /** How the tests are run, from the top of the repository. Default: by the form of their names. */
  test_command: z.string().optional(),
  skills: z.array(z.string()).default([]),
  source: z.string().default(''),
  /** The repository's files: paths from the stream's folder, and their digest. */
  snapshot: z.object({ folder: z.string(), paths: z.array(z.string()), digest: z.string() }).optional(),
})
export type CodeEntry = z.infer<typeof codeEntrySchema>
