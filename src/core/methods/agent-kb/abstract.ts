import type { Experience } from '../../../shared/domain/experience'
import type { MethodContext } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { write, type Written } from '../../ground/writing'
import { SETTINGS } from './settings'
import { promptAbout } from '../../ground/prompt'
import { abstractionForm, logText, type Abstracted, type AbstractionKind } from './forms'

export const ABSTRACT_ROLE = 'agent-kb-abstract'

/** Characters of a log shown to the model per token it can read, less what the reply and the template need. */
const CHARACTERS_PER_TOKEN = 2.5
const RESERVED_TOKENS = 1600
const LEAST_CHARACTERS = 600

/** Which of the three prompts fits a log: code repair, two agents (work with searches), or general. */
function abstractionKind({ meta, steps }: Experience): AbstractionKind {
  if (meta.domain === 'code') return 'code'
  return meta.domain === 'web' || steps.some(({ verb }) => verb === 'browse') ? 'search' : 'general'
}

const TEMPLATES = {
  general: ABSTRACT_ROLE,
  search: `${ABSTRACT_ROLE}-search`,
  code: `${ABSTRACT_ROLE}-code`,
} as const

/** The same as the paper prints them (F.1). */
const PRINTED = {
  general: 'agent-kb-paper-abstract',
  search: 'agent-kb-paper-abstract-search',
  code: 'agent-kb-paper-abstract-code',
} as const

/** Exemplars of the two-agent prompt, one after another. */
const EXEMPLARS = 'agent-kb-exemplars-search'

/** Templates of the three kinds. */
export const ABSTRACT_TEMPLATES: readonly string[] = [
  ...Object.values(TEMPLATES),
  ...Object.values(PRINTED),
  EXEMPLARS,
]

/** Of the room for a log, the share that exemplars may take. */
const EXEMPLAR_SHARE = 0.5

/** The first of the exemplars, as many as are asked for and fit in so many characters. */
function exemplars(text: string, most: number, room: number): string {
  const all = text.trim().split(/\n\s*\n/)
  const views: string[] = []
  let length = 0
  for (const one of all.slice(0, most)) {
    length += one.length
    if (length > room) break
    views.push(one)
  }
  return views.length === 0 ? '' : `\n\n${views.length === 1 ? 'Example' : 'Examples'}\n${views.join('\n\n')}`
}

/**
 * Asks the model for what can be learned from a log: plan, guidance, goal constraints, keywords. What `twoAgents` worked on, and whatever was searched for,
 * is asked about in the paper's two-agent form (F.1.2), after up to 15 exemplars.
 */
export function writeAbstraction(
  log: Experience,
  taskIndex: number,
  context: Pick<MethodContext, 'model' | 'seed' | 'prompts' | 'writer'> &
    Partial<Pick<MethodContext, 'settings'>>,
  signal?: AbortSignal,
  twoAgents = false,
): Promise<Written<Abstracted>> {
  const { prompts, exemplars: most } = readSettings(SETTINGS, context.settings ?? {})
  const kind = twoAgents ? 'search' : abstractionKind(log)
  const room = Math.max(
    LEAST_CHARACTERS,
    ((context.writer ?? context.model).contextSize - RESERVED_TOKENS) * CHARACTERS_PER_TOKEN,
  )
  const label =
    kind === 'search' ? exemplars(context.prompts.text(EXEMPLARS), most, room * EXEMPLAR_SHARE) : ''
  return write(
    {
      role: TEMPLATES[kind],
      messages: promptAbout(
        context.prompts.text((prompts === 'paper' ? PRINTED : TEMPLATES)[kind]) + label,
        logText(log, room - label.length),
      ),
      form: abstractionForm(kind),
      taskIndex,
      maxTokens: 700,
      quotes: true,
    },
    context,
    signal,
  )
}

/** The experience that takes a log's place. */
export const abstractionOf = (log: Experience, output: Abstracted, at: string): Experience => ({
  ...log,
  ...output,
  id: `abs-${log.id}`,
  createdAt: at,
  origin: 'abstraction',
  derivedFrom: log.id,
})
