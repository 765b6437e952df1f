import type { PaperNotes } from '../../ground/paper-notes'

/** EvoSC held against its paper. */
export const PAPER: PaperNotes = {
  presets: [
    {
      id: 'paper',
      title: 'As in the paper',
      source: 'EvoSC, sections 4 and 5.1: EE + SE + PTC',
      settings: { evosc: { ptc: true } },
    },
  ],
  differences: [
    {
      at: 'eq. 3 and 4',
      what: 'contrastive extraction of lessons',
      where: ['src/core/methods/evosc/extract.ts'],
    },
  ],
}
