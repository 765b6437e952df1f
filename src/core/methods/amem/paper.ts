import { asInPaper, type PaperNotes } from '../../ground/paper-notes'

/** A-MEM held against its paper. */
export const PAPER: PaperNotes = {
  presets: [asInPaper('A-MEM, section 4: 10 neighbours', { amem: { neighbours: 10 } })],
  differences: [
    {
      at: 'Sections 3.2 and 3.3',
      what: 'links and evolution of neighbours',
      where: ['src/core/methods/amem/learn.ts'],
      differs: 'One question decides about both, over 4 neighbours by default.',
      why: 'Small models answer one question about a few notes better than two about many.',
    },
  ],
}
