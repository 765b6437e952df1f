import { methodTitle } from '../../../core/methods'
import type { MethodChoice } from '../../../shared/domain/method-choice'
import { comparisonSentence } from '../../../shared/figures/method-looks'
import { duration, type ConsoleIo } from '../console-io'
import { followJob } from '../follow-job'
import type { Command } from './command'

function tell(choice: MethodChoice, io: Pick<ConsoleIo, 'out' | 'note'>): MethodChoice {
  const { method, changed, comparisons, offer, unusable, forecastMs, nextLook } = choice
  io.out(`Asks learn by ${methodTitle(method)} (${method})`)
  if (changed) io.note(`Before ${changed.at.slice(0, 10)}: ${methodTitle(changed.from)}`)
  io.out(choice.sentence)
  for (const one of comparisons) if (one.n > 0) io.out(`  ${comparisonSentence(one, method, methodTitle)}`)
  if (offer) io.note(`Switch: loam methods choose ${offer.method}`)
  if (forecastMs !== null && nextLook !== null)
    io.note(`About ${duration(forecastMs)} of replays to the look at ${nextLook} asks`)
  for (const { why, count } of unusable) io.note(`${count} left out: ${why}`)
  if (choice.rests !== null) io.note(choice.rests)
  return choice
}

/** `loam methods choice`. */
export const showChoice: Command = async ({ io, host }) =>
  tell(await (await host()).client.methods.choice(), io)

/** `loam methods choose METHOD`. */
export const chooseMethod: Command = async ({ args, io, host }) => {
  const method = args.word(2, 'Which one? loam methods choose METHOD')
  return tell(await (await host()).client.methods.choose({ method }), io)
}

/** `loam methods compare`. */
export const compareMethods: Command = async ({ io, host }) => {
  const reached = await host()
  const { jobId } = await reached.client.methods.compare()
  await followJob(reached, jobId, io)
  return tell(await reached.client.methods.choice(), io)
}
