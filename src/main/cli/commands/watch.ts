import { WATCHED_AGENTS, type WatchedLogs } from '../../../shared/domain/watched-agent'
import { UsageError } from '../arguments'
import type { ConsoleIo } from '../console-io'
import { followJob } from '../follow-job'
import type { Command } from './command'

function tell(agents: readonly WatchedLogs[], io: Pick<ConsoleIo, 'out' | 'note'>) {
  for (const { agent, on, folder, sessions, fresh, growing, last, rests } of agents) {
    io.out(`${agent}  ${on ? 'on' : 'off'}  ${sessions} sessions, ${fresh} new or changed  ${folder}`)
    if (growing > 0) io.note(`  ${growing} still being written: they wait`)
    if (last) {
      const { rows, imported, duplicates, leftOut, reasons, importId } = last
      io.note(
        `  ${last.at.slice(0, 16)}: ${rows} attempts of ${last.sessions} sessions: ${imported} new, ${duplicates} there already, ${leftOut} left out`,
      )
      for (const { why, count } of reasons) io.note(`    ${count}: ${why}`)
      if (importId !== null) io.note(`  Undo it with: loam imports undo ${importId}`)
    }
    if (rests !== null) io.note(`  ${rests}`)
  }
  return { agents }
}

/** `loam watch [on|off|now] [AGENT]`: whose sessions My memory takes in while nothing works. */
export const watchCommand: Command = async ({ args, io, host }) => {
  const [, verb, name] = args.positionals
  const reached = await host()
  const { client } = reached
  if (verb === 'on' || verb === 'off') {
    const agent = WATCHED_AGENTS.find((id) => id === name)
    if (agent === undefined)
      throw new UsageError(`Which agent? loam watch ${verb} AGENT`, `One of: ${WATCHED_AGENTS.join(', ')}.`)
    const others = (await client.app.settings()).watchedAgents.filter((id) => id !== agent)
    await client.app.saveSettings({ watchedAgents: verb === 'on' ? [...others, agent] : others })
  } else if (verb === 'now') await followJob(reached, (await client.items.takeWatched()).jobId, io)
  else if (verb !== undefined) throw new UsageError('loam watch knows on, off and now')
  return tell(await client.items.watched(), io)
}
