import { BASELINE } from '../../shared/domain/experiment'
import { checkRunSettings } from './setting-groups'
import type { CellPlan, Study } from '../../shared/domain/experiment'
import { LoamError } from '../../shared/errors'
import { findMethod } from '../methods'
import { checkSuite, suiteLives } from './suite'

const TAKES_NO_K = 'Takes no K, so it runs once per seed.'

const different = (values: readonly (string | number)[], what: string): void => {
  if (new Set(values).size === values.length) return
  throw new LoamError('BAD_INPUT', `One of the ${what} is named twice: ${values.join(', ')}.`, {
    suggestion: 'Name each only once.',
  })
}

/** A method of a definition with everything spelt out. */
export type MethodVariant = Exclude<Study['methods'][number], string>

/** Spells out a method that was only named. */
export const variantOf = (entry: Study['methods'][number]): MethodVariant =>
  typeof entry === 'string' ? { name: entry, method: entry, settings: {} } : entry

/** The variant with that name. Names come from the same definition, so there always is one. */
export function findVariant(definition: Study, name: string): MethodVariant {
  const match = definition.methods.map(variantOf).find((variant) => variant.name === name)
  if (!match) throw new Error(`The experiment has no method "${name}".`)
  return match
}

/**
 * Throws `BAD_INPUT` for a baseline that is not among the methods; `none` may be absent, and then nothing is compared.
 */
export function checkBaseline({ methods }: Study, baseline: string | null): void {
  if (baseline === null || baseline === BASELINE) return
  if (methods.some((entry) => variantOf(entry).name === baseline)) return
  throw new LoamError('BAD_INPUT', `The baseline "${baseline}" is not among the methods.`, {
    suggestion: 'Add it to the methods, or choose one of them.',
  })
}

/**
 * The cells of an experiment: every method with every K and seed, seed by seed, so that an experiment stopped early
 * still compares all methods. A method without a K runs once per seed, with exp 0, and its cells say so.
 * Run ids follow from `experimentId`, so a resumed experiment finds its runs without being told.
 *
 * @throws LoamError `BAD_INPUT` for an unknown method, a value named twice, or a baseline that is not among the methods
 * (the default baseline `none` may be absent: then nothing is compared)
 */
export function planCells(experimentId: string, definition: Study): CellPlan[] {
  const { seeds, exp, baseline } = definition
  const methods = definition.methods.map(variantOf)
  const { suite } = definition
  const names = methods.map(({ name }) => name)
  different(names, 'methods')
  different(seeds, 'seeds')
  different(exp, 'values of K')
  checkBaseline(definition, baseline)
  for (const { settings } of methods) checkRunSettings(settings)
  if (definition.experiences === undefined && methods.some(({ experiences }) => experiences !== undefined))
    throw new LoamError('BAD_INPUT', 'It is not said which memory the experiences come from.', {
      suggestion: 'Choose a memory that holds experiences.',
    })
  const cell = (method: string, value: number, seed: number, note: string | null): CellPlan => {
    const key = `${method}-e${value}-s${seed}`
    return { key, method, seed, exp: value, note, runId: `${experimentId}-${key}` }
  }
  if (suite) {
    checkSuite(suite, names)
    if (exp.length > 1)
      throw new LoamError('BAD_INPUT', `A suite plays one value of K, not ${exp.join(', ')}.`, {
        suggestion: 'Name a variant for each value, with its "k".',
      })
    return suiteLives(suite, names).flatMap(({ method, kind, world, order, stream }) =>
      seeds.map((seed) => {
        const variant = findVariant(definition, method)
        const { info } = findMethod(variant.method)
        const key = `${kind}-w${world}-o${order}-${method}-s${seed}`
        const k = info.usesK ? (exp[0] ?? variant.k ?? info.defaultK) : 0
        return { key, method, seed, exp: k, note: null, runId: `${experimentId}-${key}`, stream }
      }),
    )
  }
  return seeds.flatMap((seed) =>
    methods.flatMap(({ name, method, k }) => {
      const { info } = findMethod(method)
      if (!info.usesK) return [cell(name, 0, seed, exp.length > 0 ? TAKES_NO_K : null)]
      const values = exp.length > 0 ? exp : [k ?? info.defaultK]
      return values.map((value) => cell(name, value, seed, null))
    }),
  )
}
