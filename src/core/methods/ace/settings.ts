import { z } from 'zod'
import { choice, defineSettings } from '../../ground/settings'

export const SETTINGS = defineSettings('ace', 'Playbook', {
  offline: z.number().int().min(0).max(1000).default(0).meta({
    title: 'Tasks to adapt on first',
    help: 'Offline adaptation: the first tasks are gone through for some epochs before the rest; 0 learns online from every task.',
    unit: 'tasks',
    source: 'ACE, section 4.1: offline and online adaptation',
  }),
  epochs: z.number().int().min(1).max(20).default(5).meta({
    title: 'Epochs',
    help: 'How often these first tasks are gone through.',
    unit: 'epochs',
    source: 'ACE, section 4.2: at most 5',
  }),
  goOn: z.boolean().default(false).meta({
    title: 'Go on learning',
    help: 'After offline adaptation also learn from the tasks that follow.',
    source: 'ACE, section 4.2: offline warm-up',
  }),
  rounds: z.number().int().min(1).max(5).default(1).meta({
    title: 'Rounds of reflection',
    help: 'How often the reflector goes over a failed attempt.',
    unit: 'rounds',
    source: 'ACE, section 4.2: at most 5',
  }),
  refine: choice({ proactive: 'After every attempt', lazy: 'Once the playbook is full' }, 'proactive', {
    title: 'Refine',
    help: 'When bullets that say the same become one.',
    source: 'ACE, section 3.2',
  }),
  sameAbove: z.number().min(0).max(1).default(0.9).meta({
    title: 'The same above',
    help: 'Likeness from which two bullets say the same.',
    source: 'ACE, section 3.2: de-duplication by embeddings',
  }),
  budget: z.number().int().min(100).max(200_000).default(1500).meta({
    title: 'Size of the playbook',
    help: 'Most of it that is kept and shown; those that helped least leave first.',
    unit: 'tokens',
  }),
})
