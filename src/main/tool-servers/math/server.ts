import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { addTool } from '../answer'
import { Isolate } from '../../ground/isolate/isolate'
import type { MathOptions } from './options'
import type { ToolServer } from '../module'
import type { MathRequest } from '../../adapters/isolate/work/math'

const expression = z.string().min(1).max(10_000)

/** Arithmetic, matrices, units and symbolic work by mathjs. */
export function openMathServer(options: MathOptions, version: string): ToolServer {
  const isolate = new Isolate<MathRequest, string>('math', { limits: { heapMb: 256, processMb: 700 } })
  const ask = (request: MathRequest, signal: AbortSignal) =>
    isolate.call(() => request, options.timeLimit * 1000, signal)
  const mcp = new McpServer({ name: 'loam-math', version })
  addTool(mcp, {
    name: 'calculate',
    description:
      'Evaluates an expression: arithmetic, functions (sqrt, sin, log, factorial, combinations, gcd, mean, std), ' +
      'matrices ([[1,2],[3,4]], det, inv, transpose, lusolve), complex numbers and units ("5 km/h to m/s"). ' +
      'Several lines give several results; variables and functions (f(x) = x^2) stay defined.',
    input: {
      expression: expression.describe('For example "2^10 + sqrt(2)" or "det([[1,2],[3,4]])"'),
      numbers: z
        .enum(['number', 'BigNumber', 'Fraction'])
        .default('number')
        .describe('number: 64 bit; BigNumber: 64 digits; Fraction: exact'),
    },
    answer: (args, signal) => ask({ kind: 'evaluate', ...args }, signal),
  })
  addTool(mcp, {
    name: 'differentiate',
    description: 'The derivative of an expression, symbolically.',
    input: {
      expression,
      variable: z
        .string()
        .regex(/^[A-Za-z_]\w*$/)
        .default('x'),
      order: z.number().int().min(1).max(10).default(1),
    },
    answer: (args, signal) => ask({ kind: 'derivative', ...args }, signal),
  })
  addTool(mcp, {
    name: 'simplify',
    description: 'Simplifies an expression symbolically.',
    input: {
      expression,
      fraction: z.boolean().default(false).describe('write it as one fraction of two polynomials'),
    },
    answer: (args, signal) =>
      ask({ kind: args.fraction ? 'rationalize' : 'simplify', expression: args.expression }, signal),
  })
  return { mcp, close: () => isolate.end() }
}
