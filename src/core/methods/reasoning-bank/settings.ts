import { choice, defineSettings, number, onOff, whole } from '../../ground/settings'
import { MOST_ATTEMPTS } from './messages'

export const SETTINGS = defineSettings('reasoning-bank', 'Reasoning strategies', {
  failures: onOff(true, {
    title: 'Learn from failures',
    help: 'Also draw strategies from attempts that failed.',
    source: 'ReasoningBank, section 3.2',
  }),
  perAttempt: whole(1, 3, 3, {
    title: 'Strategies per attempt',
    help: 'Most that are drawn from one attempt.',
    unit: 'strategies',
    source: 'ReasoningBank, appendix A',
  }),
  attempts: whole(1, MOST_ATTEMPTS, 1, {
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
  spread: number(0, 2, 0.7, {
    title: 'Temperature of further attempts',
    help: 'Parallel scaling: how far attempts beside the first one may differ from it.',
    source: 'ReasoningBank, section 4.1',
  }),
  capacity: whole(1, 10_000, 1000, {
    title: 'Strategies kept',
    help: 'The newest ones of each environment; the paper keeps them all.',
    unit: 'strategies',
  }),
})
