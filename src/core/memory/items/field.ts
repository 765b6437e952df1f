import type { ItemField, ItemValues } from '../../../shared/domain/item'
import { LoamError } from '../../../shared/errors'
import { daySchema } from './last-day'

const field =
  (kind: ItemField['kind']) =>
  (key: string, label: string, { optional = false }: { readonly optional?: boolean } = {}): ItemField => ({
    key,
    label,
    kind,
    optional,
  })

/** Fields of items; `optional`: may be left empty. Default: they may not. */
export const line = field('line')
export const text = field('text')
export const lines = field('lines')
export const success = field('success')
export const truth = field('truth')
export const day = field('day')

/** The text a value holds; `otherwise` where it was not given. */
export const textOf = (values: ItemValues, key: string, otherwise: string): string => {
  const value = values[key]
  return typeof value === 'string' ? value : otherwise
}

/** The list a value holds; `otherwise` where it was not given. */
export const linesOf = (values: ItemValues, key: string, otherwise: readonly string[]): string[] => {
  const value = values[key]
  return Array.isArray(value) ? value : [...otherwise]
}

/**
 * The values as they may be kept: known fields only, trimmed, of the right form, and not empty where that is not allowed.
 * @throws LoamError `BAD_INPUT` naming the field
 */
export function checkedValues(fields: readonly ItemField[], values: ItemValues): ItemValues {
  const refuse = (cause: string): LoamError =>
    new LoamError('BAD_INPUT', cause, {
      suggestion: 'Correct the field and save again. Nothing was changed.',
    })
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const record = fields.find((one) => one.key === key)
      if (!record) throw refuse(`There is no field "${key}".`)
      const check = asKind(record, value)
      if (check === null)
        throw refuse(
          record.kind === 'day'
            ? `"${record.label}" is no day such as 2026-12-31.`
            : `"${record.label}" has a value of another kind.`,
        )
      if (!record.optional && check.length === 0) throw refuse(`"${record.label}" must not be empty.`)
      return [key, check.value]
    }),
  )
}

function asKind(
  { kind }: ItemField,
  value: ItemValues[string],
): { readonly value: ItemValues[string]; readonly length: number } | null {
  switch (kind) {
    case 'success':
    case 'truth':
      return value === 0 || value === 1 ? { value, length: 1 } : null
    case 'lines': {
      if (!Array.isArray(value)) return null
      const selection = value.map((one) => one.trim()).filter((one) => one !== '')
      return { value: selection, length: selection.length }
    }
    case 'day': {
      const text = typeof value === 'string' ? value.trim() : null
      if (text === null || (text !== '' && !daySchema.safeParse(text).success)) return null
      return { value: text, length: text.length }
    }
    case 'line':
    case 'text': {
      if (typeof value !== 'string') return null
      const keptText = kind === 'line' ? value.replace(/\s+/g, ' ').trim() : value.trim()
      return { value: keptText, length: keptText.length }
    }
  }
}
