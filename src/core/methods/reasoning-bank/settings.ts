import { z } from 'zod'
import { choice, defineSettings } from '../../ground/settings'
import { MOST_ATTEMPTS } from './messages'

export const SETTINGS = defineSettings('reasoning-bank', 'Reasoning strategies', {
  failures: z.boolean().default(true).meta({
    title: 'Learn from failures',
    help: 'Also draw strategies from attempts that failed.',
    source: 'ReasoningBank, section 3.2',
  }),
  perAttempt: z.number().int().min(1).max(3).default(3).meta({
    title: 'Strategies per attempt',
    help: 'Most that are drawn from one attempt.',
    unit: 'strategies',
    source: 'ReasoningBank, appendix A',
  }),
  attempts: z.number().int().min(1).max(MOST_ATTEMPTS).default(1).meta({
    title: 'Attempts per task (k)',
    help: 'Memory-aware scaling: how many attempts are made at each task of a run; strategies are drawn from all of them.',
    unit: 'attempts',
    source: 'ReasoningBank, section 3.3: 1 to 5',
  }),
  scaling: choice(
    { parallel: 'Parallel (self-contrast)', sequential: 'Sequential (self-refinement)' },
    'parallel',
    {
      title: 'Scaling',
      help: 'Several attempts on their own, compared with each other, or each going over the one before.',
      source: 'ReasoningBank, section 3.3',
    },
  ),
  report: choice({ choice: "The model's choice (best of k)", first: 'The first one (pass@1)' }, 'choice', {
    title: 'Reported attempt',
    help: 'Parallel scaling: which attempt counts. The model chooses without knowing how any ended.',
    source: 'ReasoningBank, section 4.3',
  }),
  spread: z.number().min(0).max(2).default(0.7).meta({
    title: 'Temperature of further attempts',
    help: 'Parallel scaling: how far attempts beside the first one may differ from it.',
    source: 'ReasoningBank, section 4.1',
  }),
  capacity: z.number().int().min(1).max(10_000).default(1000).meta({
    title: 'Strategies kept',
    help: 'The newest ones of each environment; the paper keeps them all.',
    unit: 'strategies',
  }),
})
