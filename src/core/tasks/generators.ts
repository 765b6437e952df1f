import type { Task } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'
import type { NamedStream, NamedStreams, StreamGenerator } from '../ground/environment-module'
import { houseRules } from './house-rules'
import { nameLives } from './lifelong/names'
import { desks } from './qa/desk/generator'
import { workplaces } from './workplace/generator'

/** Every source of generated streams, the one of the first-start demo first. */
export const GENERATORS: readonly [StreamGenerator, ...StreamGenerator[]] = [houseRules, workplaces, desks]

/** The stream of the first-start demo. */
export const DEMO_STREAM: string = GENERATORS[0].demo

/** @throws LoamError `BAD_INPUT` naming the known ones */
export function findGenerator(id: string): StreamGenerator {
  const foundGenerator = GENERATORS.find((generator) => generator.id === id)
  if (foundGenerator) return foundGenerator
  throw new LoamError('BAD_INPUT', `Nothing generates "${id}".`, {
    suggestion: `There is: ${GENERATORS.map((generator) => generator.id).join(', ')}.`,
  })
}

/** Whether a task is one that the demo model is made for. */
export const isForDemoModel = (task: Task): boolean => GENERATORS.some((generator) => generator.drew(task))

/** The streams of whole lifetimes, of every generator that has any. */
export const LIFELONG: NamedStreams = nameLives(GENERATORS.flatMap(({ lifelong }) => lifelong ?? []))

/** Whether a text is meant as the name of a made stream. */
export const isMadeName = (name: string): boolean => LIFELONG.isName(name)

/** The stream of that name; null when it is no name of a made stream. @throws LoamError `BAD_INPUT` where it is nearly one */
export const openNamedStream = (name: string): NamedStream | null =>
  LIFELONG.isName(name) ? LIFELONG.open(name) : null
