import { toolServer, toolThat, wordsMatch } from '../module'
import { options } from './options'

const worksOut = toolThat('works out an expression in a walled-off process')

/** Arithmetic, matrices, units and symbolic work by mathjs. */
export const math = toolServer({
  id: 'math',
  about: 'Arithmetic, units, matrices, derivatives',
  isNeeded: wordsMatch(
    /(?<![\d.,])\d[\d.,]*\s?(?:[+*/×÷^]|-\s|\b(?:plus|minus|times|divided by|multiplied by|to the power of)\b|% of|\bpercent of\b)\s?\d/i,
    /\b(?:square root|factorial|derivative) of\b/i,
  ),
  tools: [
    worksOut('calculate', { expression: '6 * 7' }, '42', { expression: '6 *' }),
    worksOut('differentiate', { expression: 'x^2' }, '2 * x', { expression: '((' }),
    worksOut('simplify', { expression: '2 x + 3 x' }, '5 * x', { expression: '2 +* 3' }),
  ],
  options,
  forRun: ({ seconds }) => ({ timeLimit: seconds }),
  open: async (input, version) => (await import('./server')).openMathServer(input, version),
})
