import { defineSettings, whole } from '../../ground/settings'

export const SETTINGS = defineSettings('awm', 'Workflows', {
  examples: whole(1, 8, 1, {
    title: 'Successes per workflow',
    help: 'How many successes each workflow is drawn from.',
    unit: 'attempts',
    source: 'AWM, section 2.3',
  }),
  capacity: whole(1, 512, 64, {
    title: 'Workflows kept',
    help: 'The newest ones of each environment.',
    unit: 'workflows',
  }),
})
