import { z } from 'zod'
import { defineSettings } from '../../ground/settings'

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
  capacity: z.number().int().min(1).max(10_000).default(1000).meta({
    title: 'Strategies kept',
    help: 'The newest ones of each environment; the paper keeps them all.',
    unit: 'strategies',
  }),
})
