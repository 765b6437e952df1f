import type { PaperNotes } from '../../ground/paper-notes'
import { QUESTIONS } from '../../tasks/qa/entry'

const FOLDER = 'src/core/methods/agent-kb'
const MEMORY = 'src/core/memory/experiences'

/** Agent KB held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    {
      id: 'paper',
      title: 'As in the paper',
      source:
        'Agent KB, sections 3.2, 3.3 and 4.1: hybrid retrieval with α = 0.5, k = 3, τ = 0.8, β = 0.8 at the feedback stage, which a critic sets off (appendix C), temperature 1.0; η, the size of the memory and the weights of eviction are not said',
      k: 3,
      temperature: 1,
      settings: {
        'agent-kb': {
          prompts: 'paper',
          retrieval: 'hybrid',
          alpha: 0.5,
          anyDomain: true,
          feedback: 'critic',
          beta: 0.8,
          gatePlanning: false,
          dedup: true,
          tau: 0.8,
          exemplars: 15,
          ruleFloor: 0,
          trust: 0,
        },
      },
      benchmarks: [
        {
          id: 'swe-bench-lite-50',
          title: 'SWE-bench Lite, 50 iterations',
          environment: 'code',
          source: 'Agent KB, section 4.1 and table 2a: limits of 50 and 100 iterations',
          settings: { code: { rounds: 50 } },
        },
        {
          id: 'swe-bench-lite-100',
          title: 'SWE-bench Lite, 100 iterations',
          environment: 'code',
          source: 'Agent KB, section 4.1 and table 2a',
          settings: { code: { rounds: 100 } },
        },
        {
          id: 'gaia',
          title: 'GAIA',
          environment: QUESTIONS,
          source: 'Agent KB, section 4.1: exact match; limits of plans, tools and tokens are not said',
        },
      ],
    },
  ],
  differences: [
    {
      at: 'Appendix F',
      what: 'the printed prompts of Reason, Refine and of writing experiences, with the preset',
      where: [
        `${FOLDER}/templates.ts`,
        'resources/prompts/agent-kb-paper-reason.md',
        'resources/prompts/agent-kb-paper-refine.md',
        'resources/prompts/agent-kb-paper-feedback-refine.md',
        'resources/prompts/agent-kb-paper-feedback-refine-code.md',
        'resources/prompts/agent-kb-paper-abstract.md',
        'resources/prompts/agent-kb-paper-abstract-search.md',
        'resources/prompts/agent-kb-paper-abstract-code.md',
      ],
      differs:
        'Behind each stands the JSON form of the reply. The true answer that F.1 promises is not told: what stands behind it is the log of the attempt. What sets off feedback, the search for it and ranking have Loam’s prompts; the Retrieve prompt of F.2.2 is no prompt here.',
      why: 'A form is what a small model can be held to, and retrieval here is no prompt.',
    },
    {
      at: 'eq. 1',
      what: 'E = (π, γ, S, C): embedding of the task, goal constraints, action-reasoning pairs, metadata',
      where: ['src/shared/domain/experience.ts', `${FOLDER}/from-attempt.ts`],
      differs:
        'π is by the encoder that is chosen, not always all-MiniLM-L6-v2. An action keeps what the environment answered.',
      why: 'No encoder ships with Loam. Whoever abstracts a log has to see what came of each action.',
    },
    {
      at: 'Section 3.2, abstraction',
      what: 'few-shot prompting with 10 to 15 exemplars per domain, and standardized actions',
      where: [
        `${FOLDER}/abstract.ts`,
        `${MEMORY}/actions.ts`,
        'resources/prompts/agent-kb-exemplars-search.md',
      ],
      differs:
        'The two-agent prompt (F.1.2) has up to 15 exemplars, as many as fit; the general one and the one for code have one each.',
      why: 'The demo model was trained on the general prompt as it is; a context of 4,096 tokens has room for few.',
    },
    {
      at: 'Appendix F.1',
      what: 'a simulated plan and a made-up error scenario, from a question and its true answer',
      where: [`${FOLDER}/abstract.ts`, `${FOLDER}/from-attempt.ts`],
      differs:
        'Written from what an attempt really did and how it ended. The right answer is never shown to the writer.',
      why: 'Loam learns from its own life, where right answers are not at hand, and an answer that is shown can leak.',
    },
    {
      at: 'Section 3.2, deduplication',
      what: 'above τ a ranker keeps the better of two by reasoning, completeness and transferability',
      where: [`${FOLDER}/admit.ts`, `${FOLDER}/rank.ts`],
      differs:
        'Asked in both orders; on a tie the one that says more of single things stays, else what is there. Two that speak of different things are both kept, however alike their tasks. What comes without a model waits: for the first run that recalls it, or for `loam kb abstract`.',
      why: 'A model’s liking for what stands first cancels itself out. Alike tasks can teach different things, and those were lost. A program that hands something in cannot wait for a model.',
    },
    {
      at: 'Section 3.2, τ and β',
      what: 'thresholds of 0.8 on the cosine of all-MiniLM-L6-v2',
      where: ['src/core/retrieval/calibration.ts', 'src/core/retrieval/plan-scale.ts', `${FOLDER}/stages.ts`],
      differs:
        'On a scale where texts without relation are at 0 under the encoder that is chosen; β lies where it lets through nine of ten built-in refinements that keep what a plan is about (0.68 for the word matcher, 0.81 for potion-base-2M).',
      why: 'Encoders differ in what they give to texts without relation; 0.8 of one is not 0.8 of another.',
    },
    {
      at: 'Section 3.2, utility',
      what: 'u ← u + η (r − u), r the reward of an attempt that used the experience',
      where: [`${MEMORY}/fold.ts`, `${FOLDER}/evidence.ts`, `${MEMORY}/rules.ts`],
      differs:
        'Single statements have a utility too, over all experiences that state them: what attempts followed and failed with is left out, and of a wrong answer’s experience what the environment never showed, of one made elsewhere what its log does not have (a setting, off in the preset). An attempt that failed does not write down again what it was told, and what the writer made up is left out (both always).',
      why: 'A wrong rule came back as an experience, was noted again and so confirmed itself.',
    },
    {
      at: 'Section 1, knowledge interference',
      what: 'the disagreement gate keeps experiences of others from disturbing the agent',
      where: [`${FOLDER}/trust.ts`, `${FOLDER}/evidence.ts`],
      differs:
        'What experiences from elsewhere say of single things is held against what attempts here bore out, too: what is contradicted is left out, and of a framework that agrees too seldom all that nobody here tried (a setting, off in the preset). Advice in words needs no trust.',
      why: 'The gate compares how plans are worded; a wrong value is one word of a plan.',
    },
    {
      at: 'Section 3.2, eviction',
      what: 'a learned utility that balances recency, frequency and transfer',
      where: [`${MEMORY}/evict.ts`],
      differs: 'Utility is learned; the weights are settings, 0.4 for it and 0.2 for each of the others.',
      why: 'The paper gives no weights.',
    },
    {
      at: 'Section 3.3, retrieval',
      what: 'BM25 shortlist by domain and tools, semantic ranking, calibrated fusion, top k without repeats',
      where: [`${MEMORY}/retrieve.ts`, 'src/main/memory-store/experience-store.ts'],
      differs: 'Domain and tools add to the score instead of leaving out; utility adds a little.',
      why: 'Whatever another framework learned can then be found from any environment.',
    },
    {
      at: 'Section 3.3, planning',
      what: 'Reason, Retrieve, Refine over the task',
      where: [`${FOLDER}/agent-kb.ts`, `${FOLDER}/stages.ts`],
    },
    {
      at: 'Section 3.3, feedback',
      what: 'the same over the execution trace',
      where: [`${FOLDER}/feedback.ts`, 'src/core/agent/question-feedback.ts'],
      differs:
        'Within the attempt: after an error of the environment, after a step that repeats an earlier one and its answer, or where neither shows and a critic calls for it, with the preset too; on questions after each plan without an answer; at most twice. A pass of its own is `protocol.passes`.',
      why: 'The paper re-engages after an initial execution; here the attempt itself can still be saved.',
    },
    {
      at: 'Disagreement gate',
      what: 'a refined plan is applied where cos(φ(ρ), φ(ρ′)) ≥ β',
      where: [`${FOLDER}/stages.ts`],
      differs: 'An agent without a plan is asked for its own first, so that a plan is compared with a plan.',
      why: 'Statements that were run and a plan in words are never alike, and the gate would always close.',
    },
    {
      at: 'Table 3',
      what: 'each part left out',
      where: [`${FOLDER}/settings.ts`, 'resources/experiments/agent-kb-ablations.yaml'],
    },
    {
      at: 'Section 4.1',
      what: 'pass@1 to pass@3, with failure diagnoses from the pass before',
      where: ['src/core/lab/protocol.ts', 'resources/experiments/agent-kb-passes.yaml'],
      differs:
        'The diagnosis is the experience that is written of the failed attempt, and has to be found as any other.',
      why: 'What a memory holds is recalled by likeness alone, so that a task gets no place of its own in it.',
    },
    {
      at: 'Table 5',
      what: 'about 9,500 experiences of seven benchmarks, written by GPT-4.1',
      where: ['src/core/formats/agent-kb/index.ts'],
      differs: 'None come with Loam; the released data file can be imported.',
      why: 'A memory begins empty and is its owner’s.',
    },
  ],
  claims: [
    {
      at: 'Section 1, tables 1 and 2',
      claim: 'Experiences of other frameworks help: up to 18.7 points on GAIA at pass@3, 6.1 at pass@1',
      here: 'No logs of another framework were used: the experiences are Loam’s own, from 80 more tasks of the same worlds, relabelled. Worlds 561, 562 and 563, demo model, 120 tasks each, one seed: 84.4 [81.7, 87.5] with a memory that begins empty, 92.8 [91.7, 94.2] with 76 good ones (+8.3 [6.7, 10.0]; first third 68.3 and 88.3), 85.6 [81.7, 89.2] with 76 poor ones, of whose statements 16 to 29 % are wrong (+1.1 [-2.5, 4.2]).',
      tuned: 'nothing on these worlds',
      notRun: 'across frameworks, because no other agent worked in these worlds',
      study: 'agent-kb-cross-domain',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Section 3.2',
      claim: 'The memory evolves: quality is kept while it grows',
      here: 'Last third against first third over 120 tasks, demo model, one seed: worlds 501, 502, 503: 92.5, 95.0, 90.0 against 75.0, 75.0, 77.5.',
      tuned: 'the repairs of the method were tried on these worlds, one after the other',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Table 3',
      claim:
        'Each part counts: without Refine 6.1 points less, Retrieve 3.6, planning 1.8, feedback 1.8, Reason 1.2; raw workflows 3.0 less',
      here: 'First 60 tasks of world 503, demo model, one seed: 83.3 whole; 78.3 without Refine, 35.0 without Retrieve, 35.0 without planning, 83.3 without feedback (it was hardly ever set off), 70.0 without Reason, 76.7 with raw workflows.',
      tuned: 'the repairs of the method were tried on this world, one after the other',
      study: 'agent-kb-ablations',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Tables 1 and 2',
      claim: 'pass@1 to pass@3 go up as failures are diagnosed',
      here: 'Worlds 561, 562 and 563, demo model, 120 tasks each, one seed: 84.5 [81.7, 87.5], 97.8 and 98.3 [97.5, 99.2]; without memory 36.4 in each, whose further passes came out as the first. Further passes drawn anew (temperature 1.5, all tokens; worlds 1301, 1302 and 1303, 60 tasks each): Agent KB 76.1, 86.7 and 88.4 [86.7, 91.7], without memory 36.1 in each: 57 of its 230 further attempts went another way, and none was solved. In most of the second attempts the task’s own failed one is among what is recalled. At workplaces, worlds 2131 to 2135, 36 tasks each, pass@1 is 2.2 [-3.4, 7.9] above no memory: the demo model never learned to write experiences there.',
      tuned: 'nothing on these worlds; the temperature on world 561',
      study: 'agent-kb-passes',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Figure 5c',
      claim: 'More experiences help',
      here: 'Worlds 561, 562 and 563, demo model, 120 tasks each, one seed: with 0, 25, 50 and 100 % of 76 good experiences 84.4, 88.1, 91.4 and 92.8; by world 81.7, 84.2, 87.5 without, 83.3, 89.2, 91.7, then 87.5, 93.3, 93.3, and 91.7, 92.5, 94.2 with all; they are Loam’s own, relabelled. Not so at workplaces: worlds 2131, 2132 and 2133, 24 tasks, 14, 12 and 12 solved without, 14, 12 and 11 with 24 of them.',
      tuned: 'nothing on these worlds',
      study: 'agent-kb-size',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Figure 4',
      claim: 'Lookups stay within the time and memory of A-MEM, MemoryBank and ReadAgent as the store grows',
      here: 'No model; five stores of each size, words hashed to 384 numbers, processor time of a lookup with 1,000 and 10,000 tasks that were made up: 2.4 and 2.9 ms, A-MEM 7.2 and 65.1, a case bank 1.0 and 1.2; the process holds 196 and 207 MiB, A-MEM’s 278 and 947. With tasks of house rules and of workplaces, worlds 2131 to 2135 of each, A-MEM takes 3.5 [3.3, 3.7] and 4.8 [4.5, 5.2] ms and 73 and 80 MiB more at 1,000; at 300 they are level within chance in one of the two in each family.',
      tuned: 'nothing',
      notRun: 'beside MemoryBank and ReadAgent, because they are not part of Loam',
      results: 'docs/results/two-families/README.md',
    },
    {
      at: 'Figure 5a',
      claim:
        'what β lets through decides how far feedback helps; .8 is taken (the text at hand has none of the figure’s values)',
      here: 'Worlds 1401, 1402 and 1403, demo model, 60 tasks each, one seed, a critic, the gate at both stages: everything let through 73.3, β .4 and .6 the same, .8 72.8, .9 57.2, 1 22.2. The gate helps nowhere: what it holds back at .9 was mostly needed.',
      tuned: 'nothing on these worlds',
      study: 'agent-kb-gate',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Figure 5b',
      claim: 'k = 3 is best, found by words and meaning together',
      here: 'Worlds 1401, 1402 and 1403, demo model, 60 tasks each, one seed, k = 1, 3 and 5: by words 64.4, 74.4, 70.0; by meaning 61.1, 76.1, 71.1; by both 66.1, 75.5, 68.3. Three are best in each way and world, both ways together are not.',
      tuned: 'nothing on these worlds',
      study: 'agent-kb-retrieval',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Tables 6 and 7',
      claim: 'acting takes nearly all tokens (GAIA: 98 %)',
      here: 'Acting is 26 % of all tokens in house rules (worlds 1401 to 1405, 120 tasks each, one seed), 8.8 to 11.5 % at workplaces with one call (worlds 2131 to 2135, 36 tasks each), 51 and 63 % with sixteen calls (worlds 1601 and 1602, 6 tasks each, none solved). These attempts are short.',
      tuned: 'nothing on these worlds',
      results: 'docs/results/agent-kb.md',
    },
    {
      at: 'Figure 7',
      claim: 'more errors go than come (GPT-4.1: 25 for 15), 49 stay',
      here: 'House rules, worlds 1401 to 1405, 120 tasks each, one seed: 55 to 80 go, none comes, 16 to 24 stay. At workplaces, worlds 2131 to 2135, 36 tasks each, none goes: 0.8 [-1.2, 2.8] of 36.',
      tuned: 'nothing on these worlds',
      notRun: 'by class of error, because no model here judges errors',
      results: 'docs/results/agent-kb.md',
    },
  ],
}
