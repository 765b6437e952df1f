import { choice, defineSettings, onOff, share, whole } from '../../ground/settings'

export const SETTINGS = defineSettings('ace', 'Playbook', {
  offline: whole(0, 1000, 0, {
    title: 'Tasks to adapt on first',
    help: 'Offline adaptation: the first tasks are gone through for some epochs before the rest; 0 learns online from every task.',
    unit: 'tasks',
    source: 'ACE, section 4.1: offline and online adaptation',
  }),
  epochs: whole(1, 20, 5, {
    title: 'Epochs',
    help: 'How often these first tasks are gone through.',
    unit: 'epochs',
    source: 'ACE, section 4.2: at most 5',
  }),
  goOn: onOff(false, {
    title: 'Go on learning',
    help: 'After offline adaptation also learn from the tasks that follow.',
    source: 'ACE, section 4.2: offline warm-up',
  }),
  rounds: whole(1, 5, 1, {
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
  sameAbove: share(0.9, {
    title: 'The same above',
    help: 'Likeness from which two bullets say the same.',
    source: 'ACE, section 3.2: de-duplication by embeddings',
  }),
  budget: whole(100, 200_000, 1500, {
    title: 'Size of the playbook',
    help: 'Most of it that is kept and shown; those that helped least leave first.',
    unit: 'tokens',
  }),
})
