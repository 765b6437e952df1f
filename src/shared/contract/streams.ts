import { z } from 'zod'
import {
  ownTasksSchema,
  rowsFileSchema,
  tablePreviewSchema,
  tableSourceSchema,
  tasksPreviewSchema,
} from '../domain/own-tasks'
import { streamInfoSchema, streamPageSchema } from '../domain/task'
import { changing, managing, reading } from './procedure'
import { count, integer } from '../domain/units'
import { BOUNDS, integerIn } from '../domain/bounds'

/** Task streams. */
export const streams = {
  list: reading('The bundled task streams.').output(z.array(streamInfoSchema)),
  inspect: managing('Reads a task file and says what is in it and what had to be skipped.')
    .input(z.object({ path: z.string() }))
    .output(streamInfoSchema),
  take: managing('Keeps a copy of a task file that a person chose, and says what is in it.')
    .input(rowsFileSchema)
    .output(streamInfoSchema),
  page: managing(
    'Where a stream is from, how it grades, a sample task, and how far its own solutions solve it.',
  )
    .input(z.object({ id: z.string() }))
    .output(streamPageSchema),
  generate: changing('Writes a fresh world as a stream.')
    .input(
      z.object({
        world: integer,
        tasks: integerIn(BOUNDS.worldTasks),
        /** Default: the first generator. */
        generator: z.string().optional(),
      }),
    )
    .output(streamInfoSchema),
  lifelong: reading('The kinds of streams of integer lifetimes.').output(
    z.array(z.object({ id: z.string(), title: z.string(), about: z.string() })),
  ),
  keepLifelong: changing('Keeps a stream of a integer lifetime in the list.')
    .input(
      z.object({
        kind: z.string(),
        world: count,
        order: count.default(1),
      }),
    )
    .output(streamInfoSchema),
  look: managing('What is seen of pasted rows, a file or a folder that are to become tasks.')
    .input(z.object({ source: tableSourceSchema }))
    .output(tablePreviewSchema),
  try: managing('What rows would become as tasks, and whether the check takes their own answers.')
    .input(ownTasksSchema)
    .output(tasksPreviewSchema),
  keep: managing("Keeps people's own tasks as a stream; under a title that is taken, as its next version.")
    .input(
      ownTasksSchema.extend({
        title: z.string().trim().min(1).max(120),
        /** Paths of files that every task gets. */
        documents: z.array(z.string().min(1)).max(100).default([]),
      }),
    )
    .output(streamInfoSchema),
}
