import {
  all,
  create,
  type ConfigOptions,
  type FactoryFunctionMap,
  type MathJsInstance,
  type MathNode,
} from 'mathjs'
import type { Work } from '../../../ground/isolate/protocol'
import { cutValue } from './code'

export type NumberKind = 'number' | 'BigNumber' | 'Fraction'

export type MathRequest =
  | { readonly kind: 'evaluate'; readonly expression: string; readonly numbers: NumberKind }
  | { readonly kind: 'simplify'; readonly expression: string }
  | {
      readonly kind: 'derivative'
      readonly expression: string
      readonly variable: string
      readonly order: number
    }
  | { readonly kind: 'rationalize'; readonly expression: string }

/** What the documentation advises to take away before others' expressions are evaluated: ways to new code and new units. */
const DISABLED = [
  'import',
  'createUnit',
  'reviver',
  'evaluate',
  'parse',
  'compile',
  'parser',
  'simplify',
  'derivative',
  'rationalize',
  'resolve',
]

/** Digits shown, and from which exponent on numbers are written with one. */
const FORMAT = {
  number: { precision: 14 },
  BigNumber: { precision: 64, upperExp: 64, lowerExp: -12 },
  Fraction: {},
} as const

interface Reckoner {
  readonly math: MathJsInstance
  readonly evaluate: MathJsInstance['evaluate']
  /** Variables and functions that expressions have defined. */
  readonly scope: Map<string, unknown>
}

/** Expressions in mathjs. Variables stay defined from call to call, per kind of number. */
export function openMath(): Work<MathRequest, string> {
  const reckoners = new Map<NumberKind, Reckoner>()
  const symbolic = create(all as FactoryFunctionMap, {})
  const { simplify, derivative, rationalize } = symbolic

  const reckonerOf = (numbers: NumberKind): Reckoner => {
    const knownReckoner = reckoners.get(numbers)
    if (knownReckoner) return knownReckoner
    const math = create(all as FactoryFunctionMap, { number: numbers } as ConfigOptions)
    const evaluate = math.evaluate.bind(math) as MathJsInstance['evaluate']
    const refuse = (name: string) => (): never => {
      throw new Error(`The function ${name} is turned off here.`)
    }
    math.import(Object.fromEntries(DISABLED.map((name) => [name, refuse(name)])), { override: true })
    const reckoner = { math, evaluate, scope: new Map<string, unknown>() }
    reckoners.set(numbers, reckoner)
    return reckoner
  }

  return (request) => {
    switch (request.kind) {
      case 'evaluate': {
        const { math, evaluate, scope } = reckonerOf(request.numbers)
        const value: unknown = evaluate(request.expression, scope as unknown as object)
        const show = (result: unknown): string => {
          if (typeof result === 'string') return result
          if (typeof result === 'function')
            return `${(result as { syntax?: string }).syntax ?? 'function'} is defined`
          return math.format(result, FORMAT[request.numbers])
        }
        return cutValue(math.isResultSet(value) ? value.entries.map(show).join('\n') : show(value))
      }
      case 'simplify':
        return simplify(request.expression).toString()
      case 'rationalize':
        return rationalize(request.expression).toString()
      case 'derivative': {
        let node: string | MathNode = request.expression
        for (let n = 0; n < request.order; n++) node = derivative(node, request.variable)
        return node.toString()
      }
    }
  }
}
