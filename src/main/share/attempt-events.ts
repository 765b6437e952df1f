import { sharedRun } from '../../core/memory/items/features'
import { z } from 'zod'
import { programNotes } from '../../core/memory/items/trust'
import { SHELL_TOOLS } from '../../core/ground/shell-tools'
import { dialogText } from '../../core/ground/prompt'
import type { MemoryEvent } from '../../core/memory/events'
import { cases } from '../../core/memory/cases/kind'
import { experiences } from '../../core/memory/experiences/kind'
import { verbOf, verbOfCommand } from '../../core/memory/experiences/actions'
import type { ClientRules } from '../../core/verdict/client-rules'
import { experienceOfLog, step } from '../../core/memory/experiences/import/log'
import { redactAll, type Redactions } from '../../core/memory/experiences/import/redact'
import type { ItemRef } from '../../shared/domain/item'
import { sha256 } from '../memories/intake-rows'

/** An attempt as a program hands it in. */
export const handedInSchema = z.object({
  task: z.string().trim().min(1).max(20_000).describe('As it was given.'),
  outcome: z.enum(['success', 'failure', 'unknown']).describe('"unknown" where nothing checked it.'),
  steps: z
    .array(
      z.object({
        tool: z.string().max(200).default(''),
        action: z.string().max(100_000).describe('A command, a query, arguments.'),
        reason: z.string().max(20_000).default(''),
        observation: z.string().max(100_000).nullable().default(null).describe('What came back.'),
        failed: z.boolean().default(false),
      }),
    )
    .max(500)
    .default([]),
  plan: z.string().max(20_000).default(''),
  advice: z.string().max(20_000).default('').describe('What the next agent should know.'),
  domain: z.string().trim().min(1).max(80).default('general'),
})
export type HandedIn = z.infer<typeof handedInSchema>

/** What keeping an attempt adds to a memory. */
export interface AttemptAdds {
  readonly events: readonly MemoryEvent[]
  readonly adds: readonly ItemRef[]
  readonly redactions: Redactions
}

/**
 * An experience and, where the outcome is known, a case. Both are named after what they say, so that handing in the same attempt twice
 * adds it once. Secrets are taken out. `rules`: what the program's attempts are read by. Default: the fitted ones.
 */
export function attemptEvents(input: HandedIn, client: string, now: Date, rules?: ClientRules): AttemptAdds {
  const { experience, redactions } = experienceOfLog(
    {
      question: input.task,
      framework: client,
      domain: input.domain,
      ...(input.outcome !== 'unknown' && { outcome: input.outcome }),
      steps: input.steps.map(({ tool, action, ...rest }) =>
        step({
          verb: SHELL_TOOLS.has(tool.toLowerCase()) ? verbOfCommand(action) : verbOf(tool),
          tool,
          content: action,
          ...rest,
        }),
      ),
      plan: input.plan,
      experience: input.advice,
      origin: 'submitted',
    },
    { file: null, client, now },
    sha256,
    rules,
  )
  const adds: ItemRef[] = [{ kind: experiences.info.id, id: experience.id }]
  const events: MemoryEvent[] = [{ kind: 'experience-added', experience }]
  if (input.outcome !== 'unknown' && input.steps.length > 0) {
    const { value } = redactAll({
      state: input.task,
      plan: dialogText(
        input.steps.map(({ tool, action, observation }) => ({
          completion: tool === '' ? action : `${tool}: ${action}`,
          observation,
          from: 'environment' as const,
        })),
      ),
    })
    const id = `case-${experience.id}`
    adds.push({ kind: cases.info.id, id })
    events.push({
      kind: 'case-added',
      case: {
        id,
        trajectoryId: experience.id,
        runId: sharedRun(client),
        environment: input.domain,
        ...value,
        reward: input.outcome === 'success' ? 1 : 0,
        createdAt: experience.createdAt,
        deletedAt: null,
      },
    })
  }
  return {
    events: [...events, ...programNotes(adds, client, input.outcome === 'success', experience.createdAt)],
    ...{ adds, redactions },
  }
}
