import { z } from 'zod'
import { choice, defineSettings, number, onOff, share, whole } from '../../ground/settings'

const OURS = 'Agent KB, section 3.2, names what counts and gives no weights; these are Loam’s'
/** A weight in what an experience is kept for. */
const eviction = (what: string, normal: number, help: string) =>
  share(normal, { title: `Eviction: ${what}`, help: `Weight of ${help}`, source: OURS })
/** A part of Reason, Retrieve, Refine, as the paper's ablation has it. */
const part = (title: string, normal: boolean, help: string) =>
  onOff(normal, { title, help, source: 'Agent KB, table 3' })

export const SETTINGS = defineSettings('agent-kb', 'Agent KB', {
  retrieval: choice({ hybrid: 'by both', semantic: 'by meaning', text: 'by words' }, 'hybrid', {
    title: 'Find experiences',
    help: 'By both is the paper’s way.',
    source: 'Agent KB, figure 5b',
  }),
  anyDomain: onOff(true, {
    title: 'From every domain',
    help: 'Experiences of other domains too; those of the task’s own and general ones stand higher. Off leaves the others out.',
    source: 'Agent KB, cross-domain transfer',
  }),
  alpha: share(0.5, {
    title: 'Words against meaning α',
    help: 'Weight of words when searching by both.',
    source: 'Agent KB, hybrid retrieval',
  }),
  prompts: choice({ loam: 'Loam’s', paper: 'the paper’s' }, 'loam', {
    title: 'Prompts',
    help: 'The paper’s are those it prints, each with Loam’s reply form behind it; Loam’s are shorter.',
    source: 'Agent KB, appendix F',
  }),
  planning: onOff(true, {
    title: 'Planning stage',
    help: 'Plan with experiences before the attempt.',
    source: 'Agent KB, section 3',
  }),
  feedback: choice({ environment: 'trouble', critic: 'trouble or a critic', off: 'never' }, 'environment', {
    title: 'Feedback stage',
    help: 'What sets off a new plan: trouble is an error, or a step that repeats an earlier one and its answer.',
    source: 'Agent KB, section 3',
  }),
  reason: part('Reason', true, 'The model says what to look up; without, the task itself is searched for.'),
  retrieve: part(
    'Retrieve',
    true,
    'Look experiences up; without, the model refines by its instructions alone.',
  ),
  refine: part('Refine', true, 'Adapt what was found; without, it is shown as it is.'),
  raw: part('Raw workflow', false, 'Show what is found for the bare task, without Reason and Refine.'),
  beta: number(-1, 1, 0.8, {
    title: 'Gate β',
    help: 'Least likeness of plan and refined plan; -1 lets all through.',
    source: 'Agent KB, disagreement gate',
  }),
  gatePlanning: onOff(false, {
    title: 'Gate while planning',
    help: 'Drop a refined plan that strays too far from the first one.',
  }),
  abstract: onOff(true, {
    title: 'Write experiences',
    help: 'The model writes down what can be learned from each attempt; without, it is kept as it was.',
    source: 'Agent KB, section 3',
  }),
  exemplars: whole(0, 15, 15, {
    title: 'Exemplars',
    help: 'Examples that the writer is shown where two agents worked together (questions, searches); as many as fit.',
    unit: 'exemplars',
    source: 'Agent KB, section 3.2: 10 to 15 per domain',
  }),
  dedup: onOff(true, {
    title: 'Keep the better of two',
    help: 'Compare a new experience with the most similar one.',
    source: 'Agent KB, deduplication',
  }),
  tau: share(0.8, {
    title: 'Near enough to compare τ',
    help: 'Likeness above which two are compared.',
    source: 'Agent KB, deduplication',
  }),
  eta: z.number().gt(0).max(1).default(0.2).meta({
    title: 'Utility step η',
    help: 'How much one use changes an experience’s utility.',
    source: 'Agent KB, utility update',
  }),
  ruleFloor: share(0.45, {
    title: 'Least utility of a statement',
    help: 'Single statements of an experience that attempts followed and failed with lose utility; below this they are left out. 0 keeps all.',
    source: 'Agent KB, utility update, by statement',
  }),
  trust: share(0.9, {
    title: 'Trust in other frameworks',
    help: 'Least share of what experiences from elsewhere say of single things that has to agree with what attempts here bore out; below, what nobody tried here is left out, and until it is known, they stand a little lower. 0 trusts at once.',
    source: 'Agent KB, section 1: knowledge interference',
  }),
  budget: whole(1, 1_000_000, 100_000, {
    title: 'Experiences kept',
    help: 'The least useful ones leave.',
    unit: 'experiences',
    source: 'Agent KB, eviction',
  }),
  evictUtility: eviction('utility', 0.4, 'what its uses taught when one has to leave.'),
  evictRecency: eviction('recency', 0.2, 'how lately it was used.'),
  evictFrequency: eviction('frequency', 0.2, 'how often it was used.'),
  evictTransfer: eviction('transfer', 0.2, 'other frameworks that it helped in.'),
  halfLife: number(1, 3650, 30, {
    title: 'Eviction: half-life',
    help: 'After this long without use, recency counts half.',
    unit: 'days',
    source: OURS,
  }),
})
