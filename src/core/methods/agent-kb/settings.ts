import { z } from 'zod'
import { choice, defineSettings } from '../../ground/settings'

const OURS = 'Agent KB, section 3.2, names what counts and gives no weights; these are Loam’s'
const share = (normal: number) => z.number().min(0).max(1).default(normal)

export const SETTINGS = defineSettings('agent-kb', 'Agent KB', {
  retrieval: choice({ hybrid: 'by both', semantic: 'by meaning', text: 'by words' }, 'hybrid', {
    title: 'Find experiences',
    help: 'By both is the paper’s way.',
    source: 'Agent KB, table 4',
  }),
  anyDomain: z.boolean().default(true).meta({
    title: 'From every domain',
    help: 'Experiences of other domains too; those of the task’s own and general ones stand higher. Off leaves the others out.',
    source: 'Agent KB, cross-domain transfer',
  }),
  alpha: share(0.5).meta({
    title: 'Words against meaning α',
    help: 'Weight of words when searching by both.',
    source: 'Agent KB, hybrid retrieval',
  }),
  planning: z.boolean().default(true).meta({
    title: 'Planning stage',
    help: 'Plan with experiences before the attempt.',
    source: 'Agent KB, section 3',
  }),
  feedback: choice({ environment: 'an error', critic: 'a critic', off: 'never' }, 'environment', {
    title: 'Feedback stage',
    help: 'What sets off a new plan during the attempt.',
    source: 'Agent KB, section 3',
  }),
  reason: z.boolean().default(true).meta({
    title: 'Reason',
    help: 'The model says what to look up; without, the task itself is searched for.',
    source: 'Agent KB, table 3',
  }),
  retrieve: z.boolean().default(true).meta({
    title: 'Retrieve',
    help: 'Look experiences up; without, the model refines by its instructions alone.',
    source: 'Agent KB, table 3',
  }),
  refine: z.boolean().default(true).meta({
    title: 'Refine',
    help: 'Adapt what was found; without, it is shown as it is.',
    source: 'Agent KB, table 3',
  }),
  raw: z.boolean().default(false).meta({
    title: 'Raw workflow',
    help: 'Show what is found for the bare task, without Reason and Refine.',
    source: 'Agent KB, table 3',
  }),
  beta: z.number().min(-1).max(1).default(0.8).meta({
    title: 'Gate β',
    help: 'Least likeness of plan and refined plan; -1 lets all through.',
    source: 'Agent KB, disagreement gate',
  }),
  gatePlanning: z.boolean().default(false).meta({
    title: 'Gate while planning',
    help: 'Drop a refined plan that strays too far from the first one.',
  }),
  abstract: z.boolean().default(true).meta({
    title: 'Write experiences',
    help: 'The model writes down what can be learned from each attempt; without, it is kept as it was.',
    source: 'Agent KB, section 3',
  }),
  exemplars: z.number().int().min(0).max(15).default(15).meta({
    title: 'Exemplars',
    help: 'Examples that the writer is shown where two agents worked together (questions, searches); as many as fit.',
    unit: 'exemplars',
    source: 'Agent KB, section 3.2: 10 to 15 per domain',
  }),
  dedup: z.boolean().default(true).meta({
    title: 'Keep the better of two',
    help: 'Compare a new experience with the most similar one.',
    source: 'Agent KB, deduplication',
  }),
  tau: share(0.8).meta({
    title: 'Near enough to compare τ',
    help: 'Likeness above which two are compared.',
    source: 'Agent KB, deduplication',
  }),
  eta: z.number().gt(0).max(1).default(0.2).meta({
    title: 'Utility step η',
    help: 'How much one use changes an experience’s utility.',
    source: 'Agent KB, utility update',
  }),
  ruleFloor: share(0.45).meta({
    title: 'Least utility of a statement',
    help: 'Single statements of an experience that attempts followed and failed with lose utility; below this they are left out. 0 keeps all.',
    source: 'Agent KB, utility update, by statement',
  }),
  trust: share(0.9).meta({
    title: 'Trust in other frameworks',
    help: 'Least share of what experiences from elsewhere say of single things that has to agree with what attempts here bore out; below, what nobody tried here is left out, and until it is known, they stand a little lower. 0 trusts at once.',
    source: 'Agent KB, section 1: knowledge interference',
  }),
  budget: z.number().int().min(1).max(1_000_000).default(100_000).meta({
    title: 'Experiences kept',
    help: 'The least useful ones leave.',
    unit: 'experiences',
    source: 'Agent KB, eviction',
  }),
  evictUtility: share(0.4).meta({
    title: 'Eviction: utility',
    help: 'Weight of what its uses taught when one has to leave.',
    source: OURS,
  }),
  evictRecency: share(0.2).meta({
    title: 'Eviction: recency',
    help: 'Weight of how lately it was used.',
    source: OURS,
  }),
  evictFrequency: share(0.2).meta({
    title: 'Eviction: frequency',
    help: 'Weight of how often it was used.',
    source: OURS,
  }),
  evictTransfer: share(0.2).meta({
    title: 'Eviction: transfer',
    help: 'Weight of other frameworks that it helped in.',
    source: OURS,
  }),
  halfLife: z.number().min(1).max(3650).default(30).meta({
    title: 'Eviction: half-life',
    help: 'After this long without use, recency counts half.',
    unit: 'days',
    source: OURS,
  }),
})
