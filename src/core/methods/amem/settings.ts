import { defineSettings, onOff, whole } from '../../ground/settings'

export const SETTINGS = defineSettings('amem', 'Linked notes', {
  links: onOff(true, {
    title: 'Links',
    help: 'Link new notes to related ones and recall along the links.',
    source: 'A-MEM, link generation',
  }),
  evolution: onOff(true, {
    title: 'Evolution',
    help: 'Let a new note change its neighbours.',
    source: 'A-MEM, memory evolution',
  }),
  neighbours: whole(1, 10, 4, {
    title: 'Neighbours',
    help: 'Notes that a new one is compared with.',
    unit: 'notes',
    source: 'A-MEM: 10 in the paper, 5 in its code',
  }),
})
