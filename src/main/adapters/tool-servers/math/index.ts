import { toolServer, type ToolOfServer } from '../module'
import { options } from './options'

/** A tool with an expression that it answers, and one that it can't. */
const worksOut = (name: string, expression: string, answers: string, wrong: string): ToolOfServer => ({
  name,
  needs: 'works out an expression in a walled-off process',
  example: { args: { expression }, answers },
  wrong: { expression: wrong },
})

/** Arithmetic, matrices, units and symbolic work by mathjs. */
export const math = toolServer({
  id: 'math',
  about: 'Arithmetic, units, matrices, derivatives',
  tools: [
    worksOut('calculate', '6 * 7', '42', '6 *'),
    worksOut('differentiate', 'x^2', '2 * x', '(('),
    worksOut('simplify', '2 x + 3 x', '5 * x', '2 +* 3'),
  ],
  options,
  forRun: ({ seconds }) => ({ timeLimit: seconds }),
  open: async (given, version) => (await import('./server')).openMathServer(given, version),
})
