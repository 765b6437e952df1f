import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { foundInDialog, nameOf } from '../../memory/experiences/import/conversations'
import type { Found, ReadContext } from '../../memory/experiences/import/log'
import type { RowPlace } from '../../../shared/domain/reading'
import type { Format, FormatSource } from '../format'
import { dialogOf, isListed } from './messages'
import { foundOfRow, UNITS, unitsOf, type Unit } from '../units'

/** Room that a block leaves for what its agent adds, in characters. */
const ROOM = 2_000
const LONGEST_LABEL = 50

/** An item as a block of core memory. */
const blockOf = ({ id, kind, title, text, environment, createdAt, line }: Unit) => ({
  created_at: createdAt,
  description: `${kind}: ${title}`,
  is_template: false,
  label: `${kind}_${id}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_LABEL),
  limit: text.length + ROOM,
  metadata_: { kind, title, environment, loam: JSON.stringify(line) },
  template_name: null,
  updated_at: createdAt,
  value: text,
})

/** An agent around the blocks: Letta asks for one, and whoever imports it chooses its model. */
const agentOf = ({ id, name, createdAt, embedder }: FormatSource, now: string) => ({
  agent_type: 'memgpt_agent',
  created_at: createdAt,
  description: `What was learned in the memory "${name}" of Loam.`,
  embedding_config: {
    embedding_endpoint_type: 'hugging-face',
    embedding_endpoint: null,
    embedding_model: embedder.id,
    embedding_dim: embedder.dimension,
    embedding_chunk_size: 300,
  },
  groups: [],
  identities: [],
  in_context_message_indices: [],
  llm_config: {
    model: 'letta-free',
    model_endpoint_type: 'vllm',
    model_endpoint: null,
    context_window: 32_000,
  },
  message_buffer_autoclear: false,
  messages: [],
  metadata_: { loam_space: id },
  multi_agent_group: null,
  name,
  system:
    'You act with the help of what is in your core memory: cases, lessons and documents from earlier work.',
  tags: [],
  tool_exec_environment_variables: [],
  tool_rules: [],
  tools: [],
  updated_at: now,
  version: '0.7.0',
})

/** Letta's agent file: one agent whose core memory holds the items. */
export const letta: Format = {
  id: 'letta',
  title: 'Letta agent file (.af), or its messages',
  writtenFor:
    'Letta 0.6 to 0.16: the agent file with blocks and messages, of one agent or several, and lists of messages',
  keeps: UNITS.keeps,
  loses: `${UNITS.loses} The agent has no messages and no tools; of one that is read, its blocks and its attempts are taken in.`,
  recognise: byJsonSigns(
    [
      sign(0.9, /"agent_type"\s*:/, /"(?:core_memory|in_context_message_indices|llm_config)"\s*:/),
      sign(0.9, /"message_type"\s*:\s*"(?:user|assistant|reasoning|tool_call|tool_return)_message"/),
    ],
    /\.af$/,
  ),
  fileName: ({ fileName }) => `${fileName}.af`,
  async *write(source, options) {
    const agent = JSON.stringify(agentOf(source, source.createdAt))
    yield { text: `${agent.slice(0, -1)},"core_memory":[`, holds: null }
    let isBegun = false
    for await (const unit of unitsOf(source, options)) {
      yield { text: `${isBegun ? ',' : ''}\n${JSON.stringify(blockOf(unit))}`, holds: unit.kinds }
      isBegun = true
    }
    yield { text: '\n]}\n', holds: null }
  },
  async *read(text, context) {
    const listed: unknown[] = []
    for await (const { place, value, problem } of parsed(readElements(text)))
      if (problem !== null) yield { kind: 'left', place, why: problem }
      else if (isListed(value)) listed.push(value)
      else yield* foundInFile(place, recordOf(value), context)
    if (listed.length > 0) yield* attemptsIn({ line: 1 }, listed, {})
  },
}

/** Blocks of an agent file, and the attempts of its agents. */
function* foundInFile(
  place: RowPlace,
  file: Readonly<Record<string, unknown>>,
  context: ReadContext,
): Generator<Found> {
  const agents = Array.isArray(file['agents']) ? file['agents'].filter(isRecord) : [file]
  const blocks = file['core_memory'] ?? file['blocks']
  const talks = agents.filter(({ messages }) => Array.isArray(messages) && messages.length > 0)
  if (!Array.isArray(blocks) && talks.length === 0)
    yield { kind: 'left', place, why: 'it has neither core memory nor messages' }
  for (const [i, block] of (Array.isArray(blocks) ? (blocks as unknown[]) : []).entries())
    yield foundInBlock({ ...place, entry: i + 1 }, block, context)
  for (const agent of talks) yield* attemptsIn(place, agent['messages'] as unknown[], agent)
}

function foundInBlock(place: RowPlace, block: unknown, context: ReadContext): Found {
  if (!isRecord(block)) return { kind: 'left', place, why: 'it is no block' }
  const { loam, title, environment } = recordOf(block['metadata_'] ?? block['metadata'])
  const foreign = {
    text: block['value'],
    title: title ?? block['label'],
    environment,
    createdAt: block['created_at'],
  }
  return foundOfRow(loam, foreign, place, context)
}

const attemptsIn = (
  place: RowPlace,
  messages: readonly unknown[],
  { name, llm_config }: Readonly<Record<string, unknown>>,
): Generator<Found> =>
  foundInDialog(place, dialogOf(messages), {
    framework: 'letta',
    domain: 'general',
    sourceId: nameOf(name),
    model: nameOf(recordOf(llm_config)['model']),
  })

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
