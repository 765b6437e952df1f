import { randomInt } from 'node:crypto'
import { totalmem } from 'node:os'
import { USUAL_SAMPLING, type LanguageModel } from '../../core/ground/chat'
import type { AskInfo, AskSpec } from '../../shared/domain/ask'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import type { ModelProfiles } from '../models/model-profiles'
import { usesTools, usualModel } from '../models/usual-model'
import { TOOL_SERVERS } from '../tool-servers'
import type { ToolServers } from '../tools/tool-servers'

// What an ask is worked on with where nobody chose: for the window and the command line alike.

/** Where chance begins in an environment: what is acted out there is to be the same again. */
export const FIXED_SEED = 1

/**
 * Who answers: the largest model that can hold a dialog and fits; in an environment the demo model, which was made for those that come with Loam.
 * What is only kept is answered by nobody, so that any model will do.
 * @throws LoamError `CONFLICT` where that would be the demo model, or a base model: a person says first that it is to answer
 */
export async function modelFor(
  { world, isKept }: { readonly world: AskSpec['world']; readonly isKept: boolean },
  { providers, demoModel }: Pick<Host, 'providers' | 'demoModel'>,
): Promise<string> {
  if (world !== null) return demoModel
  if (isKept) return usualModel(await providers.list(), totalmem())?.path ?? demoModel
  const path = await programModel({ providers, demoModel })
  if (path === demoModel) throw noModelError()
  return path
}

/**
 * Who answers programs that name nobody: the same, and where there is no other the demo model.
 * @throws LoamError `CONFLICT` where that would be a base model
 */
export async function programModel({
  providers,
  demoModel,
}: Pick<Host, 'providers' | 'demoModel'>): Promise<string> {
  const usual = usualModel(await providers.list(), totalmem())
  if (usual?.base === true)
    throw new LoamError(
      'CONFLICT',
      `${usual.name} is a base model, and there is no other. It goes on with texts; nobody trained it to answer.`,
      { suggestion: `Name it to ask it all the same (--model ${usual.path}), or add a model that answers.` },
    )
  return usual === null || usual.demo ? demoModel : usual.path
}

/** What an everyday ask is told where only the demo model could answer it. */
const noModelError = (): LoamError =>
  new LoamError(
    'CONFLICT',
    'No model that answers everyday asks is here yet. The demo model knows only its small worlds.',
    {
      suggestion:
        'Add a model: a file, a server or a download (the Models screen; "loam models add FILE", "loam servers add NAME"). The demo model answers in the world of a task.',
    },
  )

/** How a try is sampled: as the person says; else as suits the model, from a new seed each time. In environments greedily, from a fixed one. */
export function samplingOf(
  { temperature, topP, seed, world }: AskSpec,
  { recommended = USUAL_SAMPLING }: Pick<LanguageModel, 'recommended'>,
) {
  const choice = topP === null ? null : { topP }
  if (world !== null)
    return { temperature: temperature ?? 0, seed: seed ?? FIXED_SEED, ...(choice && { sampling: choice }) }
  const { temperature: usual, ...sampling } = recommended
  return {
    temperature: temperature ?? usual,
    seed: seed ?? randomInt(2 ** 31),
    sampling: { ...sampling, ...choice },
  }
}

/**
 * The tool servers of a try: those the person chose; else those of their own and of the built-in ones those that the message needs, all for a
 * plan, and none for a model that does not use tools well, as was measured, or else by its size.
 */
export async function serversOf(
  { ask, files }: { readonly ask: AskInfo; readonly files: readonly string[] },
  { foundModels }: Pick<Host, 'foundModels'>,
  tools: Pick<ToolServers, 'servers'>,
  profiles: Pick<ModelProfiles, 'callsTools'>,
): Promise<readonly string[]> {
  const { text, way, model, tools: choice } = ask.spec
  if (choice !== null) return choice
  const on = (await tools.servers()).flatMap(({ id, enabled }) => (enabled ? [id] : []))
  if (way === 'plan') return on
  const needed = on.filter((id) => {
    const builtIn = TOOL_SERVERS.find((server) => server.id === id)
    return builtIn === undefined || builtIn.isNeeded?.({ text, files }) === true
  })
  return needed.length > 0 && (await usesTools(model, { foundModels }, profiles)) ? needed : []
}

/** Whether an ask that is to be planned is: by a model that uses tools well, or with tools that the person chose. */
export const mayPlan = async (
  { model, tools }: AskSpec,
  host: Pick<Host, 'foundModels'>,
  profiles: Pick<ModelProfiles, 'callsTools'>,
): Promise<boolean> => tools !== null || usesTools(model, host, profiles)
