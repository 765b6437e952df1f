import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import type { Format, FormatSource } from '../format'
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
  title: 'Letta agent file (.af)',
  writtenFor: 'Letta 0.6 to 0.8: the agent file with core_memory, messages and tools',
  keeps: UNITS.keeps,
  loses: `${UNITS.loses} The agent has no messages and no tools; of one that is read, nothing but its blocks is taken in.`,
  recognise: byJsonSigns(
    [sign(0.9, /"agent_type"\s*:/, /"(?:core_memory|in_context_message_indices|llm_config)"\s*:/)],
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
    for await (const { place, value, problem } of parsed(readElements(text))) {
      const blocks = isRecord(value) ? (value['core_memory'] ?? value['blocks']) : undefined
      if (problem !== null || !Array.isArray(blocks)) {
        yield { kind: 'left', place, why: problem ?? 'it has no core memory' }
        continue
      }
      for (const [i, block] of (blocks as unknown[]).entries()) {
        const at = { ...place, entry: i + 1 }
        if (!isRecord(block)) {
          yield { kind: 'left', place: at, why: 'it is no block' }
          continue
        }
        const { loam, title, environment } = recordOf(block['metadata_'] ?? block['metadata'])
        const foreign = {
          text: block['value'],
          title: title ?? block['label'],
          environment,
          createdAt: block['created_at'],
        }
        yield foundOfRow(loam, foreign, at, context)
      }
    }
  },
}

const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
