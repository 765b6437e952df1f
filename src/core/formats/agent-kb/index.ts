import { readElements } from '../../ground/entries'
import { bySigns, sign } from '../../ground/recognition'
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
  gives: 'experiences',
  recognise: bySigns([sign(0.85, /"(?:agent_plan|agent_planning|agent_experience)"\s*:/)]),
  fileName: () => 'agent_kb_database.json',
  async *write(source, { signal }) {
    let begun = false
    for (const { id } of source.experiences.entries()) {
      signal?.throwIfAborted()
      const stored = await source.experiences.get(id)
      if (stored?.standing.state !== 'live') continue
      const text = JSON.stringify(toTemplate(stored.experience, 'timestamped'), null, 2)
      yield { text: `${begun ? ',' : '['}\n${text}`, holds: 'experiences' }
      begun = true
    }
    yield { text: begun ? '\n]\n' : '[]\n', holds: null }
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
