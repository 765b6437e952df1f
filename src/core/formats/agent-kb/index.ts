import { readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { readRecords } from '../../memory/experiences/import/records'
import { fromTemplate, templateSchema, toTemplate } from '../../memory/experiences/template'
import type { Format } from '../format'

/** Agent KB's own data files: the paper's field names and the released ones, with or without timestamp and metadata. */
export const agentKb: Format = {
  id: 'agent-kb',
  title: 'Agent KB data file (JSON)',
  writtenFor: 'Agent KB, data template of appendix B and the released agent_kb_database.json',
  keeps:
    'Live experiences: question, plan and advice for the task and for searching, when it was made, and metadata.',
  loses:
    'Everything else: attempts, cases and documents; of experiences their steps, outcome, utility and history.',
  recognise: byJsonSigns([sign(0.85, /"(?:agent_plan|agent_planning|agent_experience)"\s*:/)]),
  fileName: () => 'agent_kb_database.json',
  async *write(source, { signal }) {
    let isBegun = false
    for (const { id } of source.experiences.entries()) {
      signal?.throwIfAborted()
      const record = await source.experiences.get(id)
      if (record?.standing.state !== 'live') continue
      const text = JSON.stringify(toTemplate(record.experience, 'timestamped'), null, 2)
      yield { text: `${isBegun ? ',' : '['}\n${text}`, holds: 'experiences' }
      isBegun = true
    }
    yield { text: isBegun ? '\n]\n' : '[]\n', holds: null }
  },
  read: (text) =>
    readRecords(readElements(text), templateSchema, (entry) => {
      const { agentExperience, searchAgentExperience, agentPlan, searchAgentPlan, ...parts } =
        fromTemplate(entry)
      return {
        ...parts,
        framework: 'agent-kb',
        domain: 'general',
        steps: [],
        plan: agentPlan,
        experience: agentExperience,
        searchPlan: searchAgentPlan,
        searchExperience: searchAgentExperience,
        origin: 'data-file',
      }
    }),
}
