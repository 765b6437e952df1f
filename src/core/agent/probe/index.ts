import { attemptProbe } from './attempt-probe'
import { factProbe } from './fact-probe'
import { languageProbe } from './language-probe'
import type { Probe } from './probe'
import { relationProbe } from './relation-probe'
import { roleProbe } from './role-probe'
import { toolProbe } from './tool-probe'

/** Everything that is found out about a model, in the order in which it is asked: what asks need stands before what runs need. */
export const probesFor = (prompts: { readonly ask: string; readonly tools: string }): readonly Probe[] => [
  factProbe(prompts.ask),
  toolProbe(prompts.tools),
  languageProbe(prompts.ask),
  attemptProbe,
  roleProbe,
  relationProbe,
]
