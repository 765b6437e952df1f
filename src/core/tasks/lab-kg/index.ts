import type { SettingChanges } from '../../../shared/domain/setting'
import { describeIssues, type EnvironmentModule, type World } from '../../ground/environment-module'
import { roundsSetting, rulesOf, ruleTemplates } from '../../ground/replies/reply-environment'
import { repliesSetting } from '../../ground/replies/reply-reader'
import { defineSettings, readSettings, text } from '../../ground/settings'
import { ACTIONS, writeAction } from './actions'
import { labKgEntrySchema } from './entry'
import { createLabKgEnvironment, LAB_KG, LAB_KG_MAX_ROUNDS } from './environment'
import { GRAPHS } from './graph'
import { verifyEntry } from './verify'

const SETTINGS = defineSettings(LAB_KG, 'Knowledge graphs', {
  rounds: roundsSetting(
    LAB_KG_MAX_ROUNDS,
    60,
    'Replies an attempt may take; without an answer by then it has failed.',
    'LifelongAgentBench',
  ),
  replies: repliesSetting,
  graph: text('', {
    title: 'Graph',
    help: "A SPARQL endpoint's address or the path of an RDF dump, in Freebase's names. Left empty, each task has a small graph of its own, derived from its entry where it brings none.",
    look: 'path',
  }),
})

async function open(world: World, changes: SettingChanges) {
  const { rounds, replies, graph } = readSettings(SETTINGS, changes)
  const graphs = await world.port(GRAPHS)
  return createLabKgEnvironment({
    systemPrompt: await rulesOf(world, LAB_KG, replies, rounds),
    ...{ graphs, rounds, replies },
    ...(graph !== '' && { shared: await graphs.at(graph) }),
  })
}

/** LifelongAgentBench's knowledge graphs. */
export const labKg: EnvironmentModule = {
  id: LAB_KG,
  words: {
    title: 'Knowledge graphs',
    tasks: 'knowledge graph tasks',
    about: 'Follows relations of a graph with seven tools to the entities that a question asks for.',
    solved: 'The variable of the answer holds the gold entities, no more and no less.',
    source:
      "LifelongAgentBench's knowledge_graph.json, on small graphs derived from its entries, or on a SPARQL endpoint or RDF dump of Freebase",
    domain: 'knowledge graph',
  },
  colour: 7,
  play: 'acting',
  prompts: ruleTemplates(LAB_KG),
  settings: SETTINGS,
  sample: 'village-graph',
  recognises: (entry) => 'entity_dict' in entry,
  read(entry, { index }) {
    const parsed = labKgEntrySchema.safeParse(entry)
    if (!parsed.success) return { reason: describeIssues(parsed.error) }
    const { id, sample_index, question, skill_list } = parsed.data
    return {
      id: id ?? String(sample_index ?? index),
      instruction: question,
      skills: skill_list,
      payload: parsed.data,
    }
  },
  open,
  async verifier(world, changes = {}) {
    const environment = await open(world, changes)
    const isShared = readSettings(SETTINGS, changes).graph !== ''
    return (task) => verifyEntry(environment, task, isShared)
  },
  actions: () => ACTIONS,
  writeAction,
}
